"""The host ends git, has none, or has no room for it while a patch is applied, and the patch is refused for it.

A right patch that meets a fault of ours has no verdict. One that meets the bounds we set ourselves is refused.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.errors import PatchRejected, SystemFault
from rexbench.task.folder import Task
from rexbench.workspace.capture import capture_patch
from rexbench.workspace.git import run_git
from rexbench.workspace.patch import apply_patch, summarise
from rexbench.workspace.tree import copy_repo, make_workspace
from tests.attacks.conftest import Judge
from tests.conftest import CONFIGURED
from tests.small_disk import small_disk


@pytest.fixture
def git_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a program in git's place that does what a shell is told."""

    def put(told: str) -> None:
        folder = tmp_path / "bin"
        folder.mkdir()
        (folder / "git").write_text(f"#!/bin/sh\n{told}\n")
        (folder / "git").chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    return put


@pytest.mark.parametrize("signal", ["KILL", "TERM", "USR1", "SEGV", "ABRT"])
def test_a_git_that_is_killed_is_a_fault_of_ours(
    toy: Task, judge: Judge, git_that: Callable[[str], None], tmp_path: Path, signal: str
) -> None:
    make_workspace(toy, tmp_path / "work", "none")
    (tmp_path / "work" / "new.py").write_text("x = 1\n")
    git_that(f"kill -{signal} $$")
    assert judge(toy.vault.gold).outcome == "system_fault"
    with pytest.raises(SystemFault, match="was ended by signal"):
        capture_patch(toy, tmp_path / "work", CONFIGURED.home)
    with pytest.raises(SystemFault, match="was ended by signal"):
        make_workspace(toy, tmp_path / "another", "none")


@pytest.mark.parametrize("signal", ["XCPU", "XFSZ"])
def test_a_git_that_meets_the_bounds_we_set_it_tells_of_the_patch(
    toy: Task, git_that: Callable[[str], None], tmp_path: Path, signal: str
) -> None:
    make_workspace(toy, tmp_path / "work", "none")
    (tmp_path / "work" / "new.py").write_text("x = 1\n")
    git_that(f"kill -{signal} $$")
    with pytest.raises(PatchRejected, match="used up its"):
        summarise(toy.vault.gold, tmp_path)
    assert "too long to compare" in capture_patch(toy, tmp_path / "work", CONFIGURED.home).too_much


def test_a_git_that_works_without_end_is_stopped(toy: Task, git_that: Callable[[str], None], tmp_path: Path) -> None:
    git_that("while true; do true; done")
    with pytest.raises(PatchRejected, match="used up its"):
        summarise(toy.vault.gold, tmp_path)


def test_git_has_its_bounds_before_it_reads_a_patch(git_that: Callable[[str], None], tmp_path: Path) -> None:
    git_that("read line; ulimit -t; ulimit -v; ulimit -f; ulimit -c")
    told = run_git("apply", cwd=tmp_path, stdin=b"a line\n", cpu_seconds=7).stdout.split()
    assert told[0] == b"7"
    assert told[3] == b"0"
    assert int(told[1]) <= 2 * 2**20
    assert int(told[2]) <= 64 * 2**20 // 512


def test_a_machine_without_git_is_a_fault_of_ours(toy: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(SystemFault, match="git cannot be started"):
        summarise(toy.vault.gold, tmp_path)


@pytest.mark.skipif(os.getuid() != 0, reason="mounting a small file system needs root")
def test_a_disk_that_fills_up_under_a_patch_is_a_fault_of_ours(toy: Task, patch_of: Callable[..., bytes], tmp_path: Path) -> None:
    patch = patch_of({"large.txt": "a line of text\n" * 200_000})
    with small_disk(tmp_path / "disk", "1m") as disk:
        copy_repo(toy, disk.folder / "tree", with_data=False)
        disk.fill()
        with pytest.raises(SystemFault, match="No space left"):
            apply_patch(toy, patch, disk.folder / "tree")
        told = run_git("apply", cwd=disk.folder / "tree", stdin=patch)
        assert told.returncode in (1, 128), "what git says by itself is what it says of a patch that does not fit"


def test_a_patch_that_does_not_fit_is_still_the_patchs_fault(toy: Task, tmp_path: Path) -> None:
    copy_repo(toy, tmp_path / "tree", with_data=False)
    (tmp_path / "tree" / "readingtimes" / "summary.py").unlink()
    with pytest.raises(PatchRejected, match="does not apply"):
        apply_patch(toy, toy.vault.gold, tmp_path / "tree")
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".room")) == []
