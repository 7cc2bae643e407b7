"""The shipped tasks: sound folders, sealed solutions."""

import subprocess
from pathlib import Path

import pytest

from rexbench.places import tasks_folder
from rexbench.task.folder import load_task, task_ids
from rexbench.task.lint import lint

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", task_ids())
def test_a_task_has_no_lint_errors(home: Path, name: str) -> None:
    assert [finding for finding in lint(load_task(name)) if finding.level == "error"] == []


@pytest.mark.parametrize("name", task_ids())
def test_a_task_is_calibrated(name: str) -> None:
    assert load_task(name).spec.calibration is not None


def test_no_solution_is_committed_in_the_open() -> None:
    tracked = subprocess.run(["git", "ls-files", "tasks"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    assert [path for path in tracked if "/vault/" in path] == []
    for name in task_ids():
        assert (tasks_folder() / name / "vault.bin").is_file(), f"{name} is not sealed"
