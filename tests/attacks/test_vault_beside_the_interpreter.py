"""Installed into an interpreter of its own rather than into a virtual environment, the package brings its tasks into every sandbox.

The interpreter's folder is shown inside; with the package in its site-packages, the vaults are, and so is what opens them.
"""

import dataclasses
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.sandbox.protocol import Job, ResourceLimits
from rexbench.task.folder import Task
from tests.conftest import CONFIGURED


@pytest.fixture
def prefix() -> Iterator[Path]:
    """An interpreter's folder that everybody may read, outside the folders that a sandbox has of its own."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        (Path(folder) / "bin").mkdir()
        (Path(folder) / "bin" / "python3").write_text("the interpreter\n")
        yield Path(folder)


def test_tasks_that_are_installed_beside_the_interpreter_are_not_shown_inside(
    toy: Task, home: Path, prefix: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = prefix / "lib" / "python3" / "site-packages" / "rexbench" / "tasks"
    shutil.copytree(toy.folder.parent, tasks)
    monkeypatch.setenv("REXBENCH_TASKS", str(tasks))
    assert Bench().task("toy").vault.gold, "on the host it is there for the taking"
    tree = tmp_path / "tree"
    tree.mkdir()
    environment = dataclasses.replace(CONFIGURED.environments.ensure("base"), interpreter=prefix)
    search = f"ls {prefix}/bin; find {prefix} -name gold.patch; cat {tasks}/toy/vault/gold.patch; exit 0"

    finished = Bench().sandbox.run(Job(search, tree, environment, ResourceLimits(20, 500, 32, 64, 4)))

    assert finished.stdout.decode().splitlines() == ["python3"], "the interpreter itself is shown, and nothing else"
