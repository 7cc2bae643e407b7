"""Artefacts: plain files where they were asked for, and nothing else."""

import os
from pathlib import Path

import pytest

from rexbench.evaluation.collect import collect_artefacts, wipe_artefacts
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
        (lambda at: (at / "layer_2.npy").write_bytes(b""), "matches 3 files"),
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
