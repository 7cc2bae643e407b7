"""An agent takes away the permissions of what it leaves. Reading it raised, the attempt was a fault of ours, and cost was lost."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from rexbench.task.scaffold import new_task
from rexbench.workspace.capture import Captured, capture_patch
from rexbench.workspace.patch import summarise
from tests.attacks.workspaces import NOBODY, as_ordinary_user, solved_workspace


@pytest.fixture
def task(monkeypatch: pytest.MonkeyPatch) -> Iterator[Task]:
    """The scaffold in a folder that any user may enter, which pytest's own are not."""
    place = Path(tempfile.mkdtemp(prefix="rexbench-test-"))
    for name in ("tasks", "home"):
        (place / name).mkdir()
    place.chmod(0o755)
    monkeypatch.setenv("REXBENCH_HOME", str(place / "home"))
    monkeypatch.setenv("REXBENCH_TASKS", str(place / "tasks"))
    new_task(place / "tasks" / "toy")
    yield Bench().task("toy")
    shutil.rmtree(place)


def _captured(task: Task, workspace: Path) -> Captured:
    if os.getuid() == 0:
        everything = [Path(os.environ["REXBENCH_HOME"]), workspace]
        for path in [*everything, *(path for folder in everything for path in folder.rglob("*"))]:
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    try:
        return as_ordinary_user(lambda: capture_patch(task, workspace, Bench().home))
    finally:
        for path in (workspace, *workspace.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755)


def _workspace(task: Task) -> Path:
    workspace = solved_workspace(task, task.folder.parents[1] / "workspace")
    (workspace / "locked").mkdir()
    (workspace / "locked" / "inner.py").write_text("x = 1\n")
    (workspace / "sealed.py").write_text("x = 1\n")
    return workspace


def test_what_may_not_be_read_is_named_and_the_rest_is_taken(task: Task) -> None:
    workspace = _workspace(task)
    for name in ("locked", "sealed.py", "README.md", "papers"):
        (workspace / name).chmod(0)

    captured = _captured(task, workspace)

    assert summarise(captured.patch, Path("/")).files == summarise(task.vault.gold, Path("/")).files, "nothing counts as deleted"
    told = " ".join(captured.skipped)
    assert all(name in told for name in ("locked", "sealed.py", "README.md", "papers"))


def test_a_folder_that_can_be_listed_and_not_entered_is_no_exception(task: Task) -> None:
    workspace = _workspace(task)
    (workspace / "locked").chmod(0o444)
    captured = _captured(task, workspace)
    assert b"readingtimes/summary.py" in captured.patch and "locked/inner.py: may not be read" in captured.skipped


def test_a_workspace_locked_as_a_whole_is_an_empty_patch(task: Task) -> None:
    workspace = _workspace(task)
    workspace.chmod(0)
    captured = _captured(task, workspace)
    assert captured.patch == b"" and captured.skipped


def test_without_a_defence_permissions_end_the_reading(task: Task) -> None:
    workspace = _workspace(task)
    (workspace / "sealed.py").chmod(0)

    def read() -> bool:
        try:
            (workspace / "sealed.py").read_bytes()
        except PermissionError:
            return True
        return False

    assert as_ordinary_user(read)
