"""An agent leaves a workspace that cannot be read to the end: too deep, full of pipes, of links in circles, of huge files."""

import os
import shutil
from pathlib import Path

import pytest

from rexbench.task.folder import Task
from rexbench.workspace.capture import capture_patch
from rexbench.workspace.tree import make_workspace
from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched
from tests.conftest import CONFIGURED


@pytest.fixture
def workspace(toy: Task, tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    make_workspace(toy, folder, "none")
    (folder / "run.sh").write_text("exit 0\n")
    return folder


def test_pipes_circles_and_links_out_are_passed_over_or_refused(toy: Task, judge: Judge, workspace: Path, tmp_path: Path) -> None:
    os.mkfifo(workspace / "pipe")
    (workspace / "circle").symlink_to("circle")

    with host_untouched(tmp_path):
        captured = capture_patch(toy, workspace, CONFIGURED.home)
        verdict = judge(captured.patch)

    assert captured.skipped == ("pipe: neither a file nor a link",)
    assert verdict.outcome in ("bad_artifact", "patch_rejected")

    (workspace / "out").symlink_to(tmp_path / "canary.txt")
    assert judge(capture_patch(toy, workspace, CONFIGURED.home).patch).outcome == "patch_rejected"


def test_folders_deeper_than_a_path_may_be_long_do_not_stop_the_capture(
    toy: Task, judge: Judge, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workspace)
    for _ in range(25):
        os.mkdir("x" * 200)
        os.chdir("x" * 200)
    Path("buried.txt").write_text("out of reach\n")
    monkeypatch.chdir(tmp_path)

    try:
        captured = capture_patch(toy, workspace, CONFIGURED.home)
        assert captured.skipped or b"buried.txt" in captured.patch, "passed over without a word"
        assert judge(captured.patch).outcome in ("bad_artifact", "patch_rejected")
    finally:
        shutil.rmtree(workspace)


def test_files_that_are_too_large_are_passed_over_however_many_there_are(toy: Task, workspace: Path) -> None:
    for n in range(9):
        with (workspace / f"checkpoint{n}.bin").open("wb") as file:
            file.truncate(33 * 2**20)

    captured = capture_patch(toy, workspace, CONFIGURED.home)

    assert len(captured.skipped) == 9 and b"run.sh" in captured.patch
