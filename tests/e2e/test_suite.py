"""The shipped tasks: sound folders, sealed solutions."""

import subprocess
from pathlib import Path

import pytest

from rexbench.api.bench import Bench

ROOT = Path(__file__).parents[2]
SUITE = Bench().suite


@pytest.mark.parametrize("name", SUITE.ids())
def test_a_task_has_no_lint_errors(home: Path, name: str) -> None:
    assert [finding for finding in Bench().lint(name) if finding.level == "error"] == []


@pytest.mark.parametrize("name", SUITE.ids())
def test_a_task_is_calibrated(name: str) -> None:
    assert Bench().task(name).spec.calibration is not None


def test_no_solution_is_committed_in_the_open() -> None:
    tracked = subprocess.run(["git", "ls-files", "tasks"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    assert [path for path in tracked if "/vault/" in path] == []
    for name in SUITE.ids():
        assert (SUITE.folder / name / "vault.bin").is_file(), f"{name} is not sealed"
