"""An integer of a thousand digits is well-formed, and breaks whoever computes its distance to gold's in floating point."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import host_untouched
from tests.trials import evaluate

JUDGE = """
from rexbench.evaluation.reading import as_integer, read_json
def metrics(artefacts, data):
    return {"groups": as_integer(read_json(artefacts / "results" / "medians.csv"), "n"), "mean_of_medians": 1.0}
"""
ENTRY = "mkdir results && cp told.json results/medians.csv\n"


@pytest.mark.parametrize("sign", ["", "-"])
def test_an_integer_that_no_float_can_hold_is_a_wrong_result(
    toy: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path, sign: str
) -> None:
    (toy.folder / "judge.py").write_text(JUDGE)
    (toy.folder / "vault" / "gold.patch").write_bytes(patch_of({"run.sh": ENTRY, "told.json": "5"}))

    with host_untouched(tmp_path):
        verdict = evaluate(Bench().task("toy"), patch_of({"run.sh": ENTRY, "told.json": sign + "9" * 1000}), HELD_OUT, bench)

    assert verdict.outcome in ("wrong_result", "bad_artifact")
    assert bench.store.find_evaluation(verdict.key) == verdict

    with pytest.raises(OverflowError):
        float(int("9" * 1000))
