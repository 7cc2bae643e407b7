"""The artefact is a link to a file of the host, so that the collector copies a secret, or the answer, out of somebody's folder."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import Judge
from tests.attacks.scene import answer, host_untouched


def test_a_link_in_the_place_of_an_artefact_is_not_followed(
    toy: Task,
    judge: Judge,
    home: Path,
    patch_of: Callable[..., bytes],
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]],
    careless_tree: Path,
    tmp_path: Path,
) -> None:
    loot = tmp_path / "private" / "answer.csv"
    loot.parent.mkdir()
    loot.write_text(answer(toy))
    patch = patch_of({"run.sh": f"mkdir -p results && ln -s '{loot}' results/medians.csv\n"})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert verdict.outcome == "bad_artifact"
    assert "link" in verdict.detail
    assert not list(Bench().store.execution_folder(verdict.execution).rglob("medians.csv"))

    unprotected(patch)
    assert (careless_tree / "results" / "medians.csv").read_text() == answer(toy), "read plainly, the link gives the answer"


def test_a_link_to_the_experiments_own_file_is_not_followed_either(
    toy: Task, judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    patch = patch_of({"run.sh": "mkdir results && ln -s ../stash.csv results/medians.csv\n", "stash.csv": answer(toy)})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert verdict.outcome == "bad_artifact"
