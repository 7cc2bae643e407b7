"""Turns are found in any JSON that holds them, read one by one, and say what had been used by then."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rexbench.untrusted import NotTaken
from rexbench.viewer import turns as room
from rexbench.viewer.turns import LONGEST_TEXT, find_turns, read_turns

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(['"steps":[{', "\\", '\\"', "}]", "\n\t"])
VALUES = st.recursive(
    st.none() | st.integers() | TEXTS, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=8
)
STEPS = st.lists(st.fixed_dictionaries({"source": st.just("agent"), "message": TEXTS}, optional={"extra": VALUES}), max_size=5)


def written(path: Path, steps: list[Any], **others: Any) -> Path:
    path.write_text(json.dumps(others | {"steps": steps}))
    return path


def shown(path: Path, first: int = 0, last: int = 100) -> list[dict[str, Any]]:
    return read_turns(path, find_turns(path), first, last)


@given(before=st.dictionaries(TEXTS, VALUES), steps=STEPS, after=VALUES, indent=st.sampled_from([None, 0, 1, 4]))
def test_turns_are_found_however_the_file_is_laid_out(
    tmp_path_factory: pytest.TempPathFactory, before: dict[str, Any], steps: list[Any], after: Any, indent: int | None
) -> None:
    path = tmp_path_factory.mktemp("turns") / "trajectory.json"
    before.pop("steps", None)
    content = json.dumps(before | {"steps": steps, "after it": after}, indent=indent, ensure_ascii=False)
    path.write_bytes(content.encode())
    found = find_turns(path)
    assert [json.loads(path.read_bytes()[turn.begin : turn.end]) for turn in found] == steps


def test_time_tokens_and_money_are_told_by_turn(tmp_path: Path) -> None:
    used = {"prompt_tokens": 100, "completion_tokens": 20, "cached_tokens": 60, "cost_usd": 0.25}
    steps = [
        {"source": "user", "message": "do it", "timestamp": "2026-01-02T03:04:05+00:00"},
        {"source": "agent", "message": "a", "timestamp": "2026-01-02T03:04:05+00:00", "metrics": used},
        {"source": "agent", "message": "b", "timestamp": "2026-01-02T03:05:05+00:00", "metrics": used},
        {"source": "agent", "message": "c"},
    ]
    told = shown(written(tmp_path / "t.json", steps))
    assert [turn["after"] for turn in told] == [0, 0, 60, None] and [turn["took"] for turn in told] == [0, 60, None, None]
    assert [turn["spent"] for turn in told] == [0, 0.25, 0.5, 0.5] and told[1]["tokens"] == (100, 20, 60)
    assert [turn["number"] for turn in told] == [1, 2, 3, 4]


def test_a_long_text_is_shortened_among_others_and_whole_by_itself(tmp_path: Path) -> None:
    long = "word " * LONGEST_TEXT
    path = written(tmp_path / "t.json", [{"source": "agent", "message": long}, {"source": "agent", "message": "b"}])
    ((_, (text, left)),) = shown(path)[0]["texts"]
    assert len(text) <= LONGEST_TEXT and len(text) + left == len(long)
    assert shown(path, 0, 1)[0]["texts"] == [("said", long)]


def test_only_the_turns_that_are_asked_for_are_read(tmp_path: Path) -> None:
    path = written(tmp_path / "t.json", [{"source": "agent", "message": str(at)} for at in range(5000)])
    found = find_turns(path)
    assert len(found) == 5000
    assert [turn["texts"] for turn in read_turns(path, found, 4990, 4992)] == [[("said", "4990")], [("said", "4991")]]


@pytest.mark.parametrize(
    "step",
    [
        '{"source": 7, "tool_calls": [1]}',
        '{"source": "agent", "tool_calls": {"a": 1}}',
        "{}",
        '{"message": {"a": 1}, "a": NaN}',
        "[1, 2]",
    ],
)
def test_a_damaged_turn_does_not_hide_the_others(tmp_path: Path, step: str) -> None:
    path = tmp_path / "t.json"
    path.write_text('{"steps": [' + step + ', {"source": "agent", "message": "sound"}]}')
    assert shown(path)[-1]["texts"] == [("said", "sound")] and len(shown(path)) == 2


@pytest.mark.parametrize("content", ["", "{", "]]]]", '{"steps": 1}', '{"steps": [', "\x00" * 50, '{"a": {"steps": [{}]}}'])
def test_a_file_without_turns_has_none(tmp_path: Path, content: str) -> None:
    path = tmp_path / "t.json"
    path.write_text(content)
    assert find_turns(path) == []


def test_a_file_that_is_too_long_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "LARGEST", 100)
    with pytest.raises(NotTaken):
        find_turns(written(tmp_path / "t.json", [{"source": "agent", "message": "x" * 100}]))
