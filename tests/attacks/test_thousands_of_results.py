"""The results folder is filled with thousands of files, the longest names there are, and names that match what is collected."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT, Judge
from tests.attacks.scene import host_untouched
from tests.trials import evaluate

FLOOD = """
import os
os.makedirs("results")
for n in range(1000):
    open(f"results/{n:04}" + "n" * 251, "w").close()
"""


def test_a_flood_of_undeclared_files_is_left_where_it_is(
    judge: Judge, home: Path, patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": "python flood.py\n", "flood.py": FLOOD}))

    assert (verdict.outcome, verdict.detail) == ("bad_artifact", "results/medians.csv is missing")
    assert len(list((home / "executions").rglob("*nn"))) == 0


def test_a_flood_of_files_that_match_is_counted_and_refused(
    toy: Task, bench: Bench, home: Path, patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    pattern = toy.spec.artefacts[0].model_copy(update={"path": "results/*", "files": 2})
    many = dataclasses.replace(toy, spec=toy.spec.model_copy(update={"artefacts": (pattern,)}))

    with host_untouched(tmp_path):
        verdict = evaluate(many, patch_of({"run.sh": "python flood.py\n", "flood.py": FLOOD}), HELD_OUT, bench)

    assert (verdict.outcome, verdict.detail) == ("bad_artifact", "results/* matches 1000 files, 2 are asked for")
    assert not list(bench.store.execution_folder(verdict.execution).rglob("artefacts/results"))
