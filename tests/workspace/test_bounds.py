"""More than a patch may hold: what fits is taken, and that there was more is said."""

from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from rexbench.workspace import capture
from rexbench.workspace.capture import Captured, capture_patch
from rexbench.workspace.patch import MAX_CONTENT, summarise
from rexbench.workspace.tree import make_workspace


@pytest.fixture
def work(toy: Task, tmp_path: Path) -> Path:
    make_workspace(toy, tmp_path / "work", "none")
    return tmp_path / "work"


def taken(captured: Captured) -> tuple[str, ...]:
    return summarise(captured.patch, Path("/")).files if captured.patch else ()


def test_no_more_files_are_taken_than_a_patch_holds(toy: Task, work: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture, "MAX_FILES", 3)
    for at in range(3):
        (work / f"new{at}.py").write_text("x = 1\n")
    within = capture_patch(toy, work, bench.home)
    assert len(taken(within)) == 3 and within.too_much == ""
    (work / "new3.py").write_text("x = 1\n")
    beyond = capture_patch(toy, work, bench.home)
    assert len(taken(beyond)) == 3 and "1 more did not fit (new3.py)" in beyond.too_much


def test_changes_to_the_codebases_own_files_are_counted_too(
    toy: Task, work: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture, "MAX_FILES", 1)
    for name in ("readingtimes/loading.py", "readingtimes/summary.py"):
        (work / name).write_text("x = 1\n")
    captured = capture_patch(toy, work, bench.home)
    assert taken(captured) == ("readingtimes/loading.py",) and "readingtimes/summary.py" in captured.too_much


def test_files_that_fit_alone_and_not_together_are_taken_as_far_as_there_is_room(toy: Task, work: Path, bench: Bench) -> None:
    for name in ("a.bin", "b.bin"):
        (work / name).write_bytes(b"\n" * (MAX_CONTENT // 2 + 1))
    (work / "small.py").write_text("x = 1\n")
    captured = capture_patch(toy, work, bench.home)
    assert taken(captured) == ("a.bin", "small.py") and "b.bin" in captured.too_much


def test_a_file_that_no_patch_can_carry_is_passed_over_and_named(toy: Task, work: Path, bench: Bench) -> None:
    with (work / "sparse.bin").open("wb") as file:
        file.truncate(MAX_CONTENT + 1)
    captured = capture_patch(toy, work, bench.home)
    assert captured.patch == b"" and captured.skipped == (f"sparse.bin: larger than {MAX_CONTENT} bytes",)


def test_a_tree_too_large_to_look_at_still_gives_the_changes_to_the_codebase(
    toy: Task, work: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture, "MAX_ENTRIES", 50)
    (work / "flood").mkdir()
    for at in range(60):
        (work / "flood" / f"{at}.txt").write_text("x\n")
    (work / "run.sh").write_text("true\n")
    captured = capture_patch(toy, work, bench.home)
    assert taken(captured) == ("run.sh",) and "more than 50 files and folders" in captured.too_much


@pytest.mark.parametrize("depth", [63, 64])
def test_a_path_is_as_deep_as_a_patch_can_carry(toy: Task, work: Path, bench: Bench, depth: int) -> None:
    folder = work.joinpath(*["d"] * depth)
    folder.mkdir(parents=True)
    (folder / "x.py").write_text("x = 1\n")
    captured = capture_patch(toy, work, bench.home)
    assert bool(captured.patch) is (depth < 64) and bool(captured.skipped) is (depth >= 64)
