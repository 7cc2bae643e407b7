"""What comes out of an edited tree goes onto a clean one and gives the same files."""

import os
from pathlib import Path

import pytest

from rexbench.digest import walk_tree
from rexbench.errors import RexbenchError
from rexbench.task.folder import Task
from rexbench.workspace.capture import capture_patch
from rexbench.workspace.patch import apply_patch
from rexbench.workspace.tree import copy_repo, make_workspace
from tests.conftest import CONFIGURED


@pytest.fixture
def work(toy: Task, tmp_path: Path) -> Path:
    make_workspace(toy, tmp_path / "work", "none")
    return tmp_path / "work"


def round_trip(toy: Task, work: Path, tmp_path: Path) -> dict[str, tuple[str, bytes]]:
    clean = tmp_path / "clean"
    copy_repo(toy, clean, with_data=True)
    apply_patch(toy, capture_patch(toy, work, CONFIGURED.home).patch, clean)
    return {path: (kind, content) for path, kind, content in walk_tree(clean)}


def test_an_untouched_workspace_gives_an_empty_patch(toy: Task, work: Path) -> None:
    assert capture_patch(toy, work, CONFIGURED.home).patch == b""


def test_new_deleted_renamed_binary_executable_and_linked_files_survive(toy: Task, work: Path, tmp_path: Path) -> None:
    (work / "new.py").write_text("print(1)\n")
    (work / "readingtimes" / "summary.py").rename(work / "readingtimes" / "summaries.py")
    (work / "weights.bin").write_bytes(bytes(range(256)) * 40)
    (work / "tool").write_text("#!/bin/sh\n")
    (work / "tool").chmod(0o755)
    (work / "run.sh").chmod(0o644)
    (work / "alias.py").symlink_to("new.py")
    (work / "no newline").write_text("ends here")
    (work / "näme with späce\tand tab").write_text("x\n")
    (work / "crlf.txt").write_bytes(b"one\r\ntwo\r\n")
    made = round_trip(toy, work, tmp_path)
    assert made["new.py"] == ("file", b"print(1)\n")
    assert "readingtimes/summary.py" not in made and "readingtimes/summaries.py" in made
    assert made["weights.bin"][1] == bytes(range(256)) * 40
    assert made["tool"][0] == "executable" and made["run.sh"][0] == "file"
    assert made["alias.py"] == ("link", b"new.py")
    assert made["no newline"][1] == b"ends here"
    assert made["näme with späce\tand tab"][1] == b"x\n"
    assert made["crlf.txt"][1] == b"one\r\ntwo\r\n"


def test_caches_results_and_instructions_stay_out(toy: Task, work: Path) -> None:
    (work / "__pycache__").mkdir()
    (work / "__pycache__" / "x.pyc").write_bytes(b"x")
    (work / "results").mkdir()
    (work / "results" / "medians.csv").write_text("group,median\n")
    (work / ".aider.chat.history.md").write_text("x")
    (work / "instructions.md").write_text("edited")
    assert capture_patch(toy, work, CONFIGURED.home).patch == b""


def test_other_files_in_the_results_folder_are_kept(toy: Task, work: Path) -> None:
    (work / "results").mkdir()
    (work / "results" / "notes.txt").write_text("x\n")
    assert b"results/notes.txt" in capture_patch(toy, work, CONFIGURED.home).patch


def test_an_edit_of_protected_data_is_in_the_patch_for_all_to_see(toy: Task, work: Path) -> None:
    (work / "data" / "readings.csv").write_text("group,milliseconds\n")
    assert b"data/readings.csv" in capture_patch(toy, work, CONFIGURED.home).patch


def test_a_gitattributes_file_changes_nothing_of_what_is_captured(toy: Task, work: Path, tmp_path: Path) -> None:
    (work / ".gitattributes").write_text("* text eol=crlf ident working-tree-encoding=UTF-16 -diff\n*.py binary\n")
    (work / "new.py").write_bytes(b"a = 1\r\n# $Id$\n")
    assert round_trip(toy, work, tmp_path)["new.py"][1] == b"a = 1\r\n# $Id$\n"


def test_a_gitignore_does_not_hide_work(toy: Task, work: Path) -> None:
    (work / ".gitignore").write_text("*\n")
    (work / "new.py").write_text("x = 1\n")
    assert b"new.py" in capture_patch(toy, work, CONFIGURED.home).patch


def test_sockets_and_pipes_are_passed_over_and_named(toy: Task, work: Path) -> None:
    os.mkfifo(work / "pipe")
    assert capture_patch(toy, work, CONFIGURED.home).skipped == ("pipe: neither a file nor a link",)


def test_the_captured_patch_is_the_same_every_time(toy: Task, work: Path) -> None:
    (work / "new.py").write_text("x = 1\n")
    assert capture_patch(toy, work, CONFIGURED.home).patch == capture_patch(toy, work, CONFIGURED.home).patch


def test_a_tree_that_is_not_there_is_an_error(toy: Task, tmp_path: Path) -> None:
    with pytest.raises(RexbenchError, match="not a folder"):
        capture_patch(toy, tmp_path / "nothing", CONFIGURED.home)
