"""What an agent gets: one commit, no history, no gold, and instructions at the chosen level."""

import subprocess
from pathlib import Path

import pytest

from rexbench.errors import RexbenchError
from rexbench.task.folder import Task
from rexbench.workspace.tree import make_workspace


def git(work: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=work, capture_output=True, text=True, check=True).stdout


def test_a_workspace_is_one_clean_commit_without_remotes(toy: Task, tmp_path: Path) -> None:
    make_workspace(toy, tmp_path / "work", "none")
    assert git(tmp_path / "work", "log", "--all", "--oneline").count("\n") == 1
    assert git(tmp_path / "work", "status", "--porcelain") == ""
    assert git(tmp_path / "work", "remote") == ""
    assert not any((tmp_path / "work" / ".git" / "hooks").glob("*"))


def test_nothing_of_the_hosts_side_is_in_a_workspace(toy: Task, tmp_path: Path) -> None:
    make_workspace(toy, tmp_path / "work", "detailed")
    everything = b"".join(path.read_bytes() for path in (tmp_path / "work").rglob("*") if path.is_file())
    assert b"def metrics(" not in everything and b"def make(seed" not in everything
    assert b"Middle reading, or the mean of the two middle ones" not in everything


def test_each_hint_level_adds_to_the_one_before(toy: Task, tmp_path: Path) -> None:
    texts = []
    for level in ("none", "hints", "detailed"):
        make_workspace(toy, tmp_path / level, level)  # type: ignore[arg-type]
        texts.append((tmp_path / level / "instructions.md").read_text())
    assert texts[1].startswith(texts[0].rstrip()) and texts[2].startswith(texts[1].rstrip())
    assert "## Hints" not in texts[0] and "## Hints" in texts[1] and "## Steps" not in texts[1] and "## Steps" in texts[2]


def test_a_folder_that_holds_something_is_left_alone(toy: Task, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "mine").write_text("x")
    with pytest.raises(RexbenchError, match="not an empty folder"):
        make_workspace(toy, tmp_path / "work", "none")
    assert (tmp_path / "work" / "mine").read_text() == "x"
