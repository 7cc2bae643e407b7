"""The results file is part of the patch and the experiment does nothing, so that the grader finds what nobody computed."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from rexbench.task.folder import Task
from tests.attacks.conftest import Judge
from tests.attacks.scene import answer, host_untouched


def test_results_that_came_with_the_patch_are_gone_before_the_experiment_starts(
    toy: Task,
    judge: Judge,
    patch_of: Callable[..., bytes],
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]],
    careless_tree: Path,
    tmp_path: Path,
) -> None:
    loot = answer(toy)
    patch = patch_of({"run.sh": "true\n", "results/medians.csv": loot})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert (verdict.outcome, verdict.detail) == ("bad_artifact", "results/medians.csv is missing")
    assert not verdict.execution_success

    unprotected(patch)
    assert (careless_tree / "results" / "medians.csv").read_text() == loot


def test_a_folder_in_the_place_of_the_results_file_is_wiped_as_well(
    judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    patch = patch_of({"run.sh": "ls results\n", "results/medians.csv/deeper/stash": "x\n"})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert (verdict.outcome, verdict.detail) == ("bad_artifact", "results/medians.csv is missing")
