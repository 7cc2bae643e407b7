"""A patch is read, refused or applied as a whole; a refusal says why."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.errors import PatchRejected
from rexbench.task.folder import Task
from rexbench.workspace.patch import apply_patch, patch_digest, summarise
from rexbench.workspace.tree import copy_repo


@pytest.fixture
def tree(toy: Task, tmp_path: Path) -> Path:
    copy_repo(toy, tmp_path / "tree", with_data=False)
    return tmp_path / "tree"


def test_the_summary_counts_files_and_lines(toy: Task, tree: Path) -> None:
    summary = summarise(toy.vault.gold, tree)
    assert summary.files == ("readingtimes/__main__.py", "readingtimes/summary.py")
    assert summary.lines_added == 13 and summary.lines_removed == 1


def test_a_hunk_that_does_not_fit_is_named_by_file_and_line(toy: Task, tree: Path) -> None:
    (tree / "readingtimes" / "__main__.py").write_text("something else\n")
    with pytest.raises(PatchRejected, match=r"patch failed: readingtimes/__main__\.py:\d+"):
        apply_patch(toy, toy.vault.gold, tree)


def test_a_patch_that_fails_in_one_file_changes_no_other(toy: Task, tree: Path) -> None:
    (tree / "readingtimes" / "__main__.py").write_text("something else\n")
    before = (tree / "readingtimes" / "summary.py").read_bytes()
    with pytest.raises(PatchRejected):
        apply_patch(toy, toy.vault.gold, tree)
    assert (tree / "readingtimes" / "summary.py").read_bytes() == before


@pytest.mark.parametrize("text", [b"hello", b"--- a\n", b"diff --git a/x b/x\n@@ nonsense", b"\x00\xff" * 100])
def test_text_that_is_no_patch_is_refused(toy: Task, tree: Path, text: bytes) -> None:
    with pytest.raises(PatchRejected):
        apply_patch(toy, text, tree)


@pytest.mark.parametrize("path", ["data/readings.csv", "papers/new.md", "data/sub/deep.txt"])
def test_a_protected_path_is_refused_by_name(toy: Task, tree: Path, patch_of: Callable[..., bytes], path: str) -> None:
    with pytest.raises(PatchRejected, match="is protected"):
        apply_patch(toy, patch_of({path: "x\n"}), tree)


def test_a_missing_final_newline_of_the_patch_is_forgiven(toy: Task, tree: Path) -> None:
    apply_patch(toy, toy.vault.gold.rstrip(b"\n"), tree)


def test_the_digest_tells_apart_all_but_a_missing_final_newline(toy: Task) -> None:
    assert patch_digest(toy.vault.gold) == patch_digest(toy.vault.gold.rstrip(b"\n"))
    assert patch_digest(toy.vault.gold) != patch_digest(toy.vault.gold + b"\n")
    assert patch_digest(toy.vault.gold) != patch_digest(toy.vault.gold.replace(b"median", b"medium"))


@pytest.mark.parametrize(
    "content", ["0.123456789\n" * 6_000, bytes(range(256)) * 300, "new " * 20_000], ids=["lines", "binary", "line"]
)
def test_what_was_made_beforehand_does_not_ship(
    toy: Task, tree: Path, patch_of: Callable[..., bytes], content: str | bytes
) -> None:
    light = Task(toy.folder, toy.spec.model_copy(update={"added_kb": 64}), toy.vault_key)
    heavy = patch_of({"weights": content})
    with pytest.raises(PatchRejected, match=r"adds 7\d KB; toy takes 64 at most"):
        apply_patch(light, heavy, tree)
    apply_patch(toy, heavy, tree)


def test_what_trial_runs_left_is_no_part_of_a_patch(toy: Task, tree: Path, patch_of: Callable[..., bytes]) -> None:
    spec = toy.spec.model_copy(update={"added_kb": 64, "ignored": ("runs/",)})
    ignoring = Task(toy.folder, spec, toy.vault_key)
    trial = {"runs/best.bin": bytes(range(256)) * 400, "runs/log.csv": "step\n" * 20_000}
    summary = apply_patch(ignoring, patch_of({**trial, "new.py": "x = 1\n"}), tree)
    assert summary.files == ("new.py",)
    assert not (tree / "runs").exists()


def test_a_section_that_names_two_files_is_not_ignored(toy: Task, tree: Path, patch_of: Callable[..., bytes]) -> None:
    spec = toy.spec.model_copy(update={"added_kb": 64, "ignored": ("runs/",)})
    heavy = patch_of({"weights": "new " * 20_000}).replace(b"diff --git a/weights b/weights", b"diff --git a/runs/x b/runs/x")
    with pytest.raises(PatchRejected):
        apply_patch(Task(toy.folder, spec, toy.vault_key), heavy, tree)
