"""The header of a tiny array file promises terabytes, or less than nothing, and a reader that believes it runs out of memory."""

import resource
from pathlib import Path

import numpy as np
import pytest

from rexbench.evaluation.reading import BrokenContract, read_array

SHAPES = ["(1000000, 1000000)", "(9223372036854775807, 9)", "(-1, 8)", "(1,) * 10", "(2, 2)", "(0, 10**30)"]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_header_that_the_file_does_not_bear_out_is_refused(tmp_path: Path, shape: str) -> None:
    file = tmp_path / "array.npy"
    file.write_bytes(_header(shape) + b"\0" * 8)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    with pytest.raises(BrokenContract):
        read_array(file)

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000, "memory was taken on the header's word"


def test_nesting_without_end_in_a_header_is_refused(tmp_path: Path) -> None:
    (tmp_path / "array.npy").write_bytes(_header("(" * 2000 + ")" * 2000))
    with pytest.raises(BrokenContract):
        read_array(tmp_path / "array.npy")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_are_refused(tmp_path: Path, value: float) -> None:
    np.save(tmp_path / "array.npy", np.array([1.0, value]))
    with pytest.raises(BrokenContract, match="NaN or infinity"):
        read_array(tmp_path / "array.npy")


def test_numpy_itself_believes_the_header(tmp_path: Path) -> None:
    (tmp_path / "array.npy").write_bytes(_header("(1000000, 1000000)") + b"\0" * 8)
    with pytest.raises((MemoryError, ValueError)) as raised:
        np.load(tmp_path / "array.npy")
    assert "TiB" in str(raised.value) or "reshape" in str(raised.value) or "read" in str(raised.value)


def _header(shape: str) -> bytes:
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text
