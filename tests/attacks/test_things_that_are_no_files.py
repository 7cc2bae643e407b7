"""Files of the codebase are replaced by pipes, sockets, devices, links and folders; whoever opens one waits, or follows it out."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.task.folder import Task
from rexbench.workspace.capture import capture_patch
from rexbench.workspace.patch import summarise
from tests.attacks.conftest import Judge
from tests.attacks.scene import canary
from tests.attacks.workspaces import solved_workspace
from tests.conftest import CONFIGURED


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        os.chdir(path.parent)
        made.bind(path.name)


PUT: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "socket": _socket,
    "huge file": lambda path: os.truncate(path, 10**12) if path.touch() is None else None,
}


@pytest.mark.parametrize("what", sorted(PUT))
def test_what_cannot_travel_stays_as_the_codebase_has_it(
    toy: Task, judge: Judge, tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = solved_workspace(toy, tmp_path / "workspace")
    monkeypatch.chdir(tmp_path)
    for name in ("README.md", "run.sh", "data/readings.csv"):
        (workspace / name).unlink()
        PUT[what](workspace / name)

    captured = capture_patch(toy, workspace, CONFIGURED.home)

    assert [line.partition(":")[0] for line in captured.skipped] == ["README.md", "data/readings.csv", "run.sh"]
    assert captured.patch == capture_patch(toy, solved_workspace(toy, tmp_path / "again"), CONFIGURED.home).patch
    assert judge(captured.patch).outcome == "success"


@pytest.mark.skipif(os.getuid() != 0, reason="devices are root's to make")
def test_a_device_is_not_opened(toy: Task, tmp_path: Path) -> None:
    workspace = solved_workspace(toy, tmp_path / "workspace")
    os.mknod(workspace / "zero", 0o666 | 0o020000, os.makedev(1, 5))
    assert capture_patch(toy, workspace, CONFIGURED.home).skipped == ("zero: neither a file nor a link",)


def test_a_folder_of_the_codebase_behind_a_link_is_gone_and_not_read_through_it(toy: Task, tmp_path: Path) -> None:
    workspace = solved_workspace(toy, tmp_path / "workspace")
    secret = canary(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "loading.py").write_bytes(secret.read_bytes())
    (workspace / "readingtimes").rename(workspace / "other")
    (workspace / "readingtimes").symlink_to(tmp_path / "elsewhere")

    patch = capture_patch(toy, workspace, CONFIGURED.home).patch

    assert b"untouched" not in patch, "a file of the host came out in a patch"
    assert {"readingtimes", "readingtimes/loading.py", "other/loading.py"} <= set(summarise(patch, tmp_path).files)
    assert (workspace / "readingtimes" / "loading.py").read_text() == "untouched", "whoever follows the link reads it"


@pytest.mark.parametrize("what", ["file", "folder", "link", "pipe"])
def test_a_git_folder_replaced_by_anything_is_not_looked_at(toy: Task, tmp_path: Path, what: str) -> None:
    workspace = solved_workspace(toy, tmp_path / "workspace")
    before = capture_patch(toy, workspace, CONFIGURED.home)
    (workspace / ".git").rename(tmp_path / "original")
    {"file": Path.touch, "folder": Path.mkdir, "link": lambda path: path.symlink_to("/"), "pipe": os.mkfifo}[what](
        workspace / ".git"
    )
    assert capture_patch(toy, workspace, CONFIGURED.home) == before


def test_folders_nested_a_thousand_deep_and_names_of_other_systems_are_no_exception(
    toy: Task, judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = solved_workspace(toy, tmp_path / "workspace")
    before = capture_patch(toy, workspace, CONFIGURED.home)
    monkeypatch.chdir(workspace)
    for _ in range(1500):
        os.mkdir("d")
        os.chdir("d")
    os.chdir(workspace)
    for name in (".GIT", "Node_Modules"):
        (workspace / name).mkdir()
        (workspace / name / "x").write_text("x\n")
    (workspace / ".gitmodules").symlink_to("run.sh")

    captured = capture_patch(toy, workspace, CONFIGURED.home)
    monkeypatch.chdir(tmp_path)
    os.system(f"rm -rf {workspace / 'd'}")

    assert captured.patch == before.patch and len(captured.skipped) == 2
    assert judge(captured.patch).outcome == "success"
