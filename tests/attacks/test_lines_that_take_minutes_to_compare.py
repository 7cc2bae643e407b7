"""A large file of the codebase is rewritten in lines that git needs minutes to compare, and running out of time was our fault."""

import random
from pathlib import Path

import pytest

from rexbench.task.folder import Task
from rexbench.workspace.capture import capture_patch
from rexbench.workspace.patch import apply_patch
from rexbench.workspace.tree import copy_repo
from tests.attacks.conftest import Judge
from tests.attacks.workspaces import solved_workspace
from tests.conftest import CONFIGURED


def _lines(seed: int) -> str:
    return "\n".join(random.Random(seed).choices("0123456789", k=1_000_000))


def test_a_file_that_is_hard_to_compare_is_carried_whole(
    toy: Task, judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (toy.repo / "corpus.txt").write_text(_lines(1))
    workspace = solved_workspace(toy, tmp_path / "workspace")
    (workspace / "corpus.txt").write_text(_lines(2))
    monkeypatch.setattr("rexbench.workspace.difference._GIT_SECONDS", 1)

    captured = capture_patch(toy, workspace, CONFIGURED.home)

    copy_repo(toy, tmp_path / "clean", with_data=True)
    apply_patch(toy, captured.patch, tmp_path / "clean")
    assert (tmp_path / "clean" / "corpus.txt").read_text() == _lines(2)
    assert judge(captured.patch).outcome == "success"

    monkeypatch.setattr("rexbench.workspace.difference._COMPARED", 10**9)
    captured = capture_patch(toy, workspace, CONFIGURED.home)
    assert captured.patch == b"" and "too long to compare" in captured.too_much, "line by line it takes longer than there is"
