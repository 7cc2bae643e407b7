"""JSON that breaks its reader: nesting without end, NaN, keys given twice, and integers of a million digits."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.evaluation.reading import BrokenContract, read_json
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import host_untouched
from tests.trials import evaluate

HOSTILE = {
    "nested": "[" * 200_000 + "]" * 200_000,
    "nested objects": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "nan": '{"n": NaN}',
    "infinity": '{"n": -Infinity}',
    "twice": '{"n": 1, "n": 5}',
    "twice inside": '{"n": 5, "o": {"a": 1, "a": 2}}',
    "long integer": '{"n": ' + "9" * 1_000_000 + "}",
    "two values": '{"n": 5} {"n": 5}',
    "truncated": '{"n": 5',
    "not a number": '{"n": "5 "}',
    "overflowing": '{"n": 1e999}',
    "true": '{"n": true}',
    "bytes": '{"n": 5, "o": "\udcff"}',
}
JUDGE = """
from rexbench.evaluation.reading import as_integer, read_json
def metrics(artefacts, data):
    return {"groups": as_integer(read_json(artefacts / "results" / "medians.csv")["n"], "n"), "mean_of_medians": 1.0}
"""
ENTRY = "mkdir results && cp told.json results/medians.csv\n"


@pytest.mark.parametrize("kind", sorted(HOSTILE))
def test_hostile_json_is_a_broken_contract(
    toy: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path, kind: str
) -> None:
    (toy.folder / "judge.py").write_text(JUDGE)
    (toy.folder / "vault" / "gold.patch").write_bytes(patch_of({"run.sh": ENTRY, "told.json": '{"n": 5}'}))
    patch = patch_of({"run.sh": ENTRY, "told.json": HOSTILE[kind].encode(errors="surrogateescape")})

    with host_untouched(tmp_path):
        verdict = evaluate(Bench().task("toy"), patch, HELD_OUT, bench)

    assert verdict.outcome == "bad_artifact"
    assert len(verdict.detail) < 500


def test_the_same_judge_takes_plain_json(toy: Task, bench: Bench, patch_of: Callable[..., bytes]) -> None:
    (toy.folder / "judge.py").write_text(JUDGE)
    (toy.folder / "vault" / "gold.patch").write_bytes(patch_of({"run.sh": ENTRY, "told.json": '{"n": 5}'}))
    assert (
        evaluate(Bench().task("toy"), patch_of({"run.sh": ENTRY, "told.json": '{"n":  5}'}), HELD_OUT, bench).outcome == "success"
    )


def test_the_standard_reader_lets_them_in(tmp_path: Path) -> None:
    assert json.loads(HOSTILE["twice"]) == {"n": 5}, "the last of two wins, unseen"
    assert json.loads(HOSTILE["nan"])["n"] != json.loads(HOSTILE["nan"])["n"]
    with pytest.raises(RecursionError):
        json.loads(HOSTILE["nested"])
    (tmp_path / "nested.json").write_text(HOSTILE["nested"])
    with pytest.raises(BrokenContract):
        read_json(tmp_path / "nested.json")
