"""The agent leaves a folder, a link or a file of holes where its logs should be: who reads them fails, leaks or fills the disk.

A failure over them was once a fault of ours, and the attempt, its exchanges and its cost were lost; files of holes became real.
"""

import os
import shutil
from pathlib import Path

import pytest

from rexbench.agent.keeping import _keep_logs
from rexbench.agent.protocol import read_bounded

HOLE = 300 * 1024 * 1024


def blocks(folder: Path) -> int:
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


def leave(output: Path, secret: Path) -> None:
    (output / "stdout.log").mkdir(parents=True)
    (output / "stderr.log").symlink_to(secret)
    os.mkfifo(output / "pipe.log")
    for number in range(30):
        with (output / f"hole{number}").open("wb") as file:
            file.truncate(HOLE)


def test_a_careless_reader_fails_leaks_and_fills_the_disk(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("not the agent's")
    leave(tmp_path / "output", secret)
    with pytest.raises(IsADirectoryError):
        (tmp_path / "output" / "stdout.log").read_text()
    assert (tmp_path / "output" / "stderr.log").read_text() == "not the agent's"
    before = blocks(tmp_path)
    (tmp_path / "copy").write_bytes((tmp_path / "output" / "hole1").read_bytes())
    assert blocks(tmp_path) - before >= HOLE


def test_only_plain_files_are_read_and_little_of_them_is_kept(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("not the agent's")
    leave(tmp_path / "output", secret)
    for name in ("stdout.log", "stderr.log", "pipe.log", "absent.log"):
        assert read_bounded(tmp_path / "output" / name) == ""
    _keep_logs(tmp_path / "output", tmp_path / "kept")
    assert blocks(tmp_path / "kept") < 80 * 1024 * 1024
    assert not any(path.is_symlink() or path.is_fifo() for path in (tmp_path / "kept").rglob("*"))
    assert not any(b"not the agent's" in path.read_bytes() for path in (tmp_path / "kept").rglob("*") if path.is_file())
    shutil.rmtree(tmp_path / "kept")
