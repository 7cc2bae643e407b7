"""Half a character, escaped in JSON, passes every reader and breaks whoever writes the verdict down: the judgement is lost."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import host_untouched
from tests.trials import evaluate

JUDGE = """
from rexbench.evaluation.reading import read_json, require
def metrics(artefacts, data):
    told = read_json(artefacts / "results" / "medians.csv")
    require(told["name"] != "", "no name")
    require("group" not in told, f"there is no group {told.get('group')}")
    return {"groups": told["name"], "mean_of_medians": 1.0}
"""
ENTRY = "mkdir results && cp told.json results/medians.csv\n"


@pytest.mark.parametrize(
    ("told", "outcomes"),
    [
        pytest.param('{"name": "\\ud800"}', ("bad_artifact", "wrong_result"), id="in-a-metric"),
        pytest.param('{"name": "a", "group": "\\udfff"}', ("bad_artifact",), id="in-a-complaint"),
    ],
)
def test_half_a_character_is_judged_like_any_other_text(
    toy: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path, told: str, outcomes: tuple[str, ...]
) -> None:
    (toy.folder / "judge.py").write_text(JUDGE)
    (toy.folder / "vault" / "gold.patch").write_bytes(patch_of({"run.sh": ENTRY, "told.json": '{"name": "gold"}'}))

    with host_untouched(tmp_path):
        verdict = evaluate(Bench().task("toy"), patch_of({"run.sh": ENTRY, "told.json": told}), HELD_OUT, bench)

    assert verdict.outcome in outcomes
    assert bench.store.find_evaluation(verdict.key) == verdict, "what was decided is on record"


def test_the_standard_reader_takes_half_a_character(tmp_path: Path) -> None:
    half = json.loads('"\\ud800"')
    with pytest.raises(UnicodeEncodeError):
        (tmp_path / "record.json").write_text(half, encoding="utf-8")
