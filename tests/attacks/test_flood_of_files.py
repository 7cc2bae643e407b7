"""An agent leaves a hundred thousand files beside its work, and what stops the capture looks like a fault of ours, tried again."""

import os
import shutil
from pathlib import Path

import pytest

from rexbench.task.folder import Task
from rexbench.workspace.capture import capture_patch
from rexbench.workspace.patch import MAX_FILES, summarise
from tests.attacks.conftest import Judge
from tests.attacks.workspaces import solved_workspace
from tests.conftest import CONFIGURED


def _flood(folder: Path, count: int) -> None:
    folder.mkdir()
    for number in range(count):
        os.close(os.open(folder / f"{number:06}.txt", os.O_CREAT | os.O_WRONLY))


def test_work_that_lies_beside_a_hundred_thousand_files_is_judged(toy: Task, judge: Judge, tmp_path: Path) -> None:
    workspace = solved_workspace(toy, tmp_path / "workspace")
    (workspace / "own.py").write_text("x = 1\n" * 1000)
    _flood(workspace / "flood", 100_000)

    captured = capture_patch(toy, workspace, CONFIGURED.home)
    shutil.rmtree(workspace)

    files = summarise(captured.patch, tmp_path).files
    assert len(files) == MAX_FILES and {"own.py", *summarise(toy.vault.gold, tmp_path).files} < set(files)
    assert f"{100_003 - MAX_FILES} more did not fit" in captured.too_much
    assert judge(captured.patch).outcome == "success"


def test_taken_whole_a_flood_costs_the_work(toy: Task, judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = solved_workspace(toy, tmp_path / "workspace")
    _flood(workspace / "flood", MAX_FILES)
    assert capture_patch(toy, workspace, CONFIGURED.home) == capture_patch(toy, workspace, CONFIGURED.home), (
        "which files are taken is chance"
    )
    monkeypatch.setattr("rexbench.workspace.capture.MAX_FILES", 10**6)
    assert judge(capture_patch(toy, workspace, CONFIGURED.home).patch).outcome == "patch_rejected"


def test_a_tree_that_cannot_be_looked_through_still_gives_the_edits(
    toy: Task, judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = solved_workspace(toy, tmp_path / "workspace")
    _flood(workspace / "flood", 3000)
    monkeypatch.setattr("rexbench.workspace.capture.MAX_ENTRIES", 1000)

    captured = capture_patch(toy, workspace, CONFIGURED.home)

    assert captured.patch == capture_patch(toy, solved_workspace(toy, tmp_path / "again"), CONFIGURED.home).patch
    assert "more than 1000 files and folders" in captured.too_much
    assert judge(captured.patch).outcome == "success"


def test_a_flood_where_nothing_travels_is_not_even_counted(toy: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = solved_workspace(toy, tmp_path / "workspace")
    for place in ("node_modules", "results", ".cache"):
        _flood(workspace / place, 1500)
    monkeypatch.setattr("rexbench.workspace.capture.MAX_ENTRIES", 1000)

    captured = capture_patch(toy, workspace, CONFIGURED.home)

    assert (captured.skipped, captured.too_much) == ((), "")
