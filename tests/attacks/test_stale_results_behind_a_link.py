"""Old results are kept in another folder and `results` is a link to it, so that wiping the results finds nothing to wipe."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from rexbench.task.folder import Task
from tests.attacks.conftest import Judge
from tests.attacks.scene import answer, host_untouched


def test_results_that_stand_behind_a_linked_folder_are_not_collected(
    toy: Task,
    judge: Judge,
    patch_of: Callable[..., bytes],
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]],
    careless_tree: Path,
    tmp_path: Path,
) -> None:
    loot = answer(toy)
    patch = patch_of({"run.sh": "cat results/medians.csv\n", "results": "stash", "stash/medians.csv": loot}, {"results": b"120000"})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert (verdict.outcome, verdict.detail) == ("bad_artifact", "results/medians.csv is missing")

    unprotected(patch)
    assert (careless_tree / "results" / "medians.csv").read_text() == loot


def test_a_results_folder_that_the_run_turns_into_a_link_is_not_followed(
    toy: Task, judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    patch = patch_of({"run.sh": "rm -rf results && ln -s stash results\n", "stash/medians.csv": answer(toy)})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert (verdict.outcome, verdict.detail) == ("bad_artifact", "results/medians.csv is missing")
