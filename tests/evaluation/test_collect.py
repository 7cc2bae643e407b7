"""Artefacts: plain files where they were asked for, and nothing else."""

import os
from pathlib import Path

import pytest

from rexbench.evaluation.collect import MAX_EXTRA, collect_artefacts, wipe_artefacts
from rexbench.evaluation.reading import BrokenContract
from rexbench.task.schema import Artefact

WANTED = (Artefact(path="results/layer_*.npy", files=2, max_mb=1), Artefact(path="results/table.csv"))


def fill(tree: Path) -> None:
    (tree / "results").mkdir(parents=True)
    for name in ("layer_0.npy", "layer_1.npy", "table.csv"):
        (tree / "results" / name).write_bytes(name.encode())


def test_what_is_declared_is_copied_and_nothing_else(tmp_path: Path) -> None:
    fill(tmp_path / "tree")
    (tmp_path / "tree" / "results" / "other.txt").write_text("x")
    found = collect_artefacts(tmp_path / "tree", WANTED, tmp_path / "out")
    assert [file.path for file in found] == ["results/layer_0.npy", "results/layer_1.npy", "results/table.csv"]
    assert sorted(path.name for path in (tmp_path / "out" / "results").iterdir()) == ["layer_0.npy", "layer_1.npy", "table.csv"]


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda at: (at / "table.csv").unlink(), "table.csv is missing"),
        (lambda at: (at / "layer_1.npy").unlink(), "matches 1 files, 2 are asked for"),
        (lambda at: [(at / f"layer_{n}.npy").touch() for n in range(2, 3 + MAX_EXTRA)], f"matches {MAX_EXTRA + 3} files, 2 are"),
        (lambda at: (os.truncate(at / "layer_1.npy", 2**21), (at / "layer_x.npy").mkdir()), "larger than the 1 MB"),
        (lambda at: (at / "layer_1.npy").write_bytes(b"x" * (2**20 + 1)), "larger than the 1 MB"),
        (lambda at: ((at / "table.csv").unlink(), (at / "table.csv").mkdir()), "not a plain file|cannot be taken"),
        (lambda at: ((at / "table.csv").unlink(), (at / "table.csv").symlink_to("layer_0.npy")), "cannot be taken"),
        (lambda at: ((at / "table.csv").unlink(), os.link(at / "layer_0.npy", at / "table.csv")), "hard link"),
        (lambda at: ((at / "table.csv").unlink(), os.mkfifo(at / "table.csv")), "not a plain file"),
        (lambda at: (at.rename(at.parent / "elsewhere"), at.symlink_to("elsewhere")), "matches 0 files"),
    ],
)
def test_anything_else_breaks_the_contract(tmp_path: Path, spoil: object, told: str) -> None:
    fill(tmp_path / "tree")
    spoil(tmp_path / "tree" / "results")  # type: ignore[operator]
    with pytest.raises(BrokenContract, match=told):
        collect_artefacts(tmp_path / "tree", WANTED, tmp_path / "out")


def test_files_beside_the_asked_ones_are_no_defect_and_what_cannot_be_taken_of_them_is_passed_over(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    fill(tree)
    at = tree / "results"
    (at / "layer_2.npy").write_bytes(b"extra")
    os.truncate(at / "layer_2.npy", 2**19)
    (at / "layer_a.npy").mkdir()
    (at / "layer_b.npy").symlink_to("layer_0.npy")
    os.mkfifo(at / "layer_c.npy")
    (at / "layer_d.npy").touch()
    os.truncate(at / "layer_d.npy", 2**40)
    (at / os.fsdecode(b"layer_\xff.npy")).write_bytes(b"x")
    found = collect_artefacts(tree, WANTED, tmp_path / "out")
    taken = [f"results/layer_{n}.npy" for n in range(3)] + ["results/table.csv"]
    assert [file.path for file in found] == taken
    assert sorted(path.name for path in (tmp_path / "out" / "results").iterdir()) == [Path(path).name for path in taken]


def test_a_group_of_results_beside_those_that_are_asked_for_is_no_defect(tmp_path: Path) -> None:
    for group in ("all", "bottom", "top", "middle"):
        (tmp_path / "tree" / "results" / f"existing_{group}").mkdir(parents=True)
        (tmp_path / "tree" / "results" / f"existing_{group}" / "dataset.jsonl").write_text("{}")
    wanted = (Artefact(path="results/existing_*/dataset.jsonl", files=3),)
    assert len(collect_artefacts(tmp_path / "tree", wanted, tmp_path / "out")) == 4


def test_files_that_match_are_bounded_in_what_they_come_to(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    for number in range(10):
        (tmp_path / "tree" / f"{number}.bin").touch()
        os.truncate(tmp_path / "tree" / f"{number}.bin", 63 * 2**20)
    with pytest.raises(BrokenContract, match="too much to be collected"):
        collect_artefacts(tmp_path / "tree", (Artefact(path="*.bin", max_mb=64),), tmp_path / "out")


def test_wiping_removes_files_links_and_folders_in_the_artefacts_place_alone(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    fill(tree)
    (tmp_path / "outside").write_text("kept")
    (tree / "results" / "table.csv").unlink()
    (tree / "results" / "table.csv").symlink_to(tmp_path / "outside")
    (tree / "results" / "layer_0.npy").unlink()
    (tree / "results" / "layer_0.npy").mkdir()
    (tree / "results" / "keep.txt").write_text("x")
    wipe_artefacts(tree, WANTED)
    assert [path.name for path in (tree / "results").iterdir()] == ["keep.txt"]
    assert (tmp_path / "outside").read_text() == "kept"
