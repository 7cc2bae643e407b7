"""What comes out of an edited tree goes onto a clean one and gives the same files."""

import dataclasses
import os
import subprocess
from pathlib import Path

import pytest

from rexbench.digest import walk_tree
from rexbench.errors import RexbenchError
from rexbench.sandbox.protocol import standard_variables
from rexbench.task.folder import Task
from rexbench.workspace.capture import capture_patch
from rexbench.workspace.patch import apply_patch, apply_to_workspace, summarise
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


def test_a_folder_that_artefacts_are_written_to_is_no_part_of_the_work(toy: Task, work: Path) -> None:
    (work / "results" / "deeper").mkdir(parents=True)
    (work / "results" / "deeper" / "log.txt").write_text("x\n")
    assert capture_patch(toy, work, CONFIGURED.home).patch == b""


def test_a_folder_that_the_codebase_has_files_in_is_part_of_the_work(toy: Task, tmp_path: Path) -> None:
    (toy.repo / "results").mkdir()
    (toy.repo / "results" / "README.md").write_text("what is here\n")
    make_workspace(toy, tmp_path / "work", "none")
    (tmp_path / "work" / "results" / "README.md").write_text("what else is here\n")
    (tmp_path / "work" / "results" / "plot.py").write_text("x = 1\n")
    (tmp_path / "work" / "results" / "medians.csv").write_text("group,median\n")
    patch = capture_patch(toy, tmp_path / "work", CONFIGURED.home).patch
    assert b"what else" in patch and b"results/plot.py" in patch and b"medians.csv" not in patch


def test_what_the_task_or_its_own_gitignore_names_stays_behind_and_what_the_codebase_has_does_not(
    toy: Task, tmp_path: Path
) -> None:
    (toy.repo / ".gitignore").write_text("*.ckpt\n/cache/\n!kept.ckpt\n")
    (toy.repo / "readingtimes" / ".gitignore").write_text("generated.py\n!good.ckpt\n")
    (toy.repo / "cache").mkdir()
    (toy.repo / "cache" / "shipped.txt").write_text("as it was\n")
    task = dataclasses.replace(toy, spec=toy.spec.model_copy(update={"ignored": ("runs/", "log.txt")}))
    work = tmp_path / "work"
    make_workspace(task, work, "none")
    behind = ["runs/1/x.py", "log.txt", "a.ckpt", "readingtimes/b.ckpt", "cache/new.py", "readingtimes/generated.py"]
    taken = [
        "kept.ckpt",
        "readingtimes/good.ckpt",
        "readingtimes/runs/x.py",
        "readingtimes/log.txt",
        "readingtimes/cache/x",
        "generated.py",
    ]
    for name in behind + taken:
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text("new\n")
    (work / "cache" / "shipped.txt").write_text("edited\n")
    captured = capture_patch(task, work, CONFIGURED.home)
    assert summarise(captured.patch, tmp_path).files == tuple(sorted([*taken, "cache/shipped.txt"]))
    assert captured.skipped == () and captured.too_much == ""


def test_a_workspace_in_which_the_experiment_was_run_gives_the_patch_of_one_in_which_it_was_not(toy: Task, tmp_path: Path) -> None:
    CONFIGURED.environments.ensure("base")
    patches = []
    for runs in (0, 1, 2):
        work = tmp_path / f"work{runs}"
        make_workspace(toy, work, "none")
        apply_to_workspace(toy, toy.vault.gold, work, CONFIGURED.home)
        for _ in range(runs):
            variables = standard_variables(str(CONFIGURED.environments.describe("base").bin), str(tmp_path / "user")) | {
                "PYTHONDONTWRITEBYTECODE": ""
            }
            subprocess.run(["bash", "-c", toy.spec.experiment.command], cwd=work, env=variables, check=True, capture_output=True)
            assert (work / "results" / "medians.csv").is_file()
        assert runs == 0 or list(work.rglob("*.pyc")), "the run left nothing that could travel"
        patches.append(capture_patch(toy, work, CONFIGURED.home))
    assert patches[0] == patches[1] == patches[2] and patches[0].patch


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
