"""Artefacts that are well-formed, and over which a judge stumbles: its failure would be ours, retried for ever and never scored."""

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
import hashlib
from rexbench.evaluation.reading import as_number, read_json, require, same_ids


def metrics(artefacts, data):
    told = read_json(artefacts / "results" / "medians.csv")
    require(isinstance(told, dict) and all(isinstance(told.get(name), list) for name in ("ids", "values", "notes")), "not as asked")
    same_ids(told["ids"], ["a", "b"], "ids")
    hashlib.sha256("".join(map(str, told["notes"])).encode())
    require(told["notes"] != [told["ids"]], "the ids again")
    values = [as_number(value, "value") for value in told["values"]]
    return {"groups": len(told["notes"]), "mean_of_medians": sum(value**2 for value in values)}
"""
ENTRY = "mkdir results && cp told.json results/medians.csv\n"
GOOD = '{"ids": ["a", "b"], "values": [1.5], "notes": [1]}'
STUMBLES = {
    "half of a character": GOOD.replace("[1]}", '["\\ud800"]}'),
    "an id that cannot be one": GOOD.replace('"b"', '["b"]'),
    "a value of many levels": GOOD.replace("[1.5]", "[" * 900 + "]" * 900),
    "notes of many levels": GOOD.replace("[1]}", "[" * 900 + "]" * 900 + "}"),
    "an infinite note": GOOD.replace("[1]}", "[1e999]}"),
    "a value that has no square": GOOD.replace("[1.5]", "[1e200]"),
    "an integer that is no float": GOOD.replace("[1.5]", "[1" + "0" * 400 + "]"),
}


@pytest.mark.parametrize("told", STUMBLES.values(), ids=STUMBLES)
def test_a_judge_does_not_stumble_over_what_is_well_formed(
    toy: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path, told: str
) -> None:
    (toy.folder / "judge.py").write_text(JUDGE)
    (toy.folder / "vault" / "gold.patch").write_bytes(patch_of({"run.sh": ENTRY, "told.json": GOOD}))
    task = Bench().task("toy")

    with host_untouched(tmp_path):
        verdict = evaluate(task, patch_of({"run.sh": ENTRY, "told.json": told}), HELD_OUT, bench)

    assert verdict.outcome == "bad_artifact", verdict.detail
    assert evaluate(task, patch_of({"run.sh": ENTRY, "told.json": GOOD + "\n"}), HELD_OUT, bench).outcome == "success"


@pytest.mark.parametrize(
    ("told", "use"),
    [
        (STUMBLES["half of a character"], lambda told: told["notes"][0].encode()),
        (STUMBLES["an id that cannot be one"], lambda told: set(told["ids"])),
        (STUMBLES["a value that has no square"], lambda told: told["values"][0] ** 2),
        (STUMBLES["an integer that is no float"], lambda told: float(told["values"][0])),
    ],
)
def test_read_as_they_are_they_raise(told: str, use: Callable[[dict[str, list[float]]], object]) -> None:
    with pytest.raises((UnicodeEncodeError, TypeError, OverflowError)):
        use(json.loads(told))
