"""Readers of files that nobody trusts refuse every malformation by name."""

import io
from pathlib import Path

import numpy as np
import pytest

from rexbench.evaluation.reading import (
    BrokenContract,
    as_integer,
    as_number,
    read_array,
    read_arrays,
    read_json,
    read_jsonl,
    read_table,
    same_ids,
)


@pytest.mark.parametrize(
    "text", ["", "{", "[1, NaN]", "[Infinity]", '{"a": 1, "a": 2}', "[" * 200_000, "1" * 10_000, "\ufeff{}", "'x'"]
)
def test_json_that_is_not_plain_json_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(BrokenContract, match=r"x\.json"):
        read_json(tmp_path / "x.json")


def test_json_lines_skip_blank_lines_and_name_the_line_that_is_broken(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"a": 1}\n\n{"a": 2}\n')
    assert read_jsonl(tmp_path / "x.jsonl") == [{"a": 1}, {"a": 2}]
    (tmp_path / "x.jsonl").write_text('{"a": 1}\n{"a": \n')
    with pytest.raises(BrokenContract, match="line 2"):
        read_jsonl(tmp_path / "x.jsonl")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty"),
        ("a,a\n1,2\n", "duplicate"),
        ("a\n1\n", "no column b"),
        ("a,b\n1\n", "1 fields"),
        ('a,b\n"1,2\n', "not a delimited table"),
    ],
)
def test_a_broken_table_is_refused(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(BrokenContract, match=told):
        read_table(tmp_path / "x.csv", ["a", "b"])


def test_a_table_is_read_as_text(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text('a\tb\n1\t"two\tthree"\n')
    assert read_table(tmp_path / "x.tsv", ["a"], delimiter="\t") == [{"a": "1", "b": "two\tthree"}]


def test_arrays_come_back_as_they_were(tmp_path: Path) -> None:
    for array in (np.arange(6, dtype=np.int8).reshape(2, 3), np.array(1.5), np.asfortranarray(np.ones((2, 3), np.float32))):
        np.save(tmp_path / "x.npy", array)
        assert np.array_equal(read_array(tmp_path / "x.npy"), array)


def test_object_text_nan_and_truncated_arrays_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    for array in (np.array([{}], object), np.array(["a"]), np.array([np.nan]), np.array([np.inf])):
        np.save(path, array, allow_pickle=True)
        with pytest.raises(BrokenContract):
            read_array(path)
    buffer = io.BytesIO()
    np.save(buffer, np.arange(100))
    for cut in (0, 5, 20, 100, 500):
        path.write_bytes(buffer.getvalue()[:cut])
        with pytest.raises(BrokenContract):
            read_array(path)


def test_links_folders_and_missing_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("{}")
    (tmp_path / "link").symlink_to("real")
    for name in ("link", "nothing", "."):
        with pytest.raises(BrokenContract):
            read_json(tmp_path / name)


@pytest.mark.parametrize("value", ["nan", "inf", "1e999", "", "x", None, True, [1], "0x10"])
def test_what_is_no_finite_number_is_refused(value: object) -> None:
    with pytest.raises(BrokenContract):
        as_number(value, "x")


@pytest.mark.parametrize("value", ["1.0", "", "²", "1e3", True, 1.0, None, "9" * 30, "--1"])
def test_what_is_no_plain_integer_is_refused(value: object) -> None:
    with pytest.raises(BrokenContract):
        as_integer(value, "x")


def test_numbers_are_held_to_their_range() -> None:
    assert as_number("0.5", "x", 0, 1) == 0.5 and as_integer("-3", "x") == -3
    with pytest.raises(BrokenContract, match="outside"):
        as_number(1.5, "x", 0, 1)
    with pytest.raises(BrokenContract, match="below"):
        as_integer("3", "x", low=4)


@pytest.mark.parametrize(
    ("found", "told"), [(["a", "a", "b"], "more than once"), (["a"], "missing"), (["a", "b", "c"], "not in the data")]
)
def test_ids_must_be_there_exactly_once(found: list[str], told: str) -> None:
    with pytest.raises(BrokenContract, match=told):
        same_ids(found, ["a", "b"], "x")


def test_several_arrays_come_back_by_name(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "x.npz", a=np.arange(3), b=np.array("text"))
    found = read_arrays(tmp_path / "x.npz", "iU")
    assert found.keys() == {"a", "b"} and found["a"].tolist() == [0, 1, 2] and str(found["b"]) == "text"


def test_an_archive_of_pickles_one_that_unpacks_to_too_much_and_one_that_is_none_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "pickled.npz", a=np.array([{}], dtype=object))
    np.savez_compressed(tmp_path / "large.npz", a=np.zeros(10_000_000))
    (tmp_path / "broken.npz").write_bytes((tmp_path / "large.npz").read_bytes()[:500])
    for name, told in {"pickled": "pickled objects", "large": "unpacks to more", "broken": "not an .npz file"}.items():
        with pytest.raises(BrokenContract, match=told):
            read_arrays(tmp_path / f"{name}.npz")
