"""Whatever bytes an artefact holds, a reader gives plain values or says `BrokenContract`: anything else would be blamed on us."""

import io
import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
from rexbench.untrusted import MAX_DEPTH

CASES = 1_500
JSON = b'{"rows": [1, -2.5e3, true, null, "a\\u00e9\\ud83d\\ude00", {"b": [[], {}]}], "n": 12345678901234567}'
TABLE = 'id,median,"a ""quoted"" name"\n1,2.5,x\n2,-1e9,"two\nlines"\n\u00fc,nan,""\n'.encode()
PIECES = [
    b"1e999", b"-1E400", b"NaN", b"9" * 25, b"9" * 5000, b"\\ud800", b'"\\uDFFF"', b"[" * 60 + b"]" * 60, b"[" * 5000, b"{", b"}",
    b'"', b",", b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\n", b"\r", b'{"a":1,"a":2}', b"-", b"0x1", b"'", b"(", b")", b"lambda:0",
    b"'descr'", b"'|O'", b"'<f8'", b"True", b"-1", b"2**99", b"(0, 4611686018427387904, 4)", b"(" + b"1," * 70 + b")", b"\x93NUMPY",
]  # fmt: skip


def arrays() -> list[bytes]:
    made = []
    for array in (
        np.arange(6).reshape(2, 3),
        np.ones((3, 2), np.float16),
        np.array(1.5),
        np.zeros((0, 4)),
        np.array(["a", "b"]),
        np.array([True]),
    ):
        for version in ((1, 0), (2, 0), (3, 0)):
            stream = io.BytesIO()
            np.lib.format.write_array(stream, array, version=version)
            made.append(stream.getvalue())
    return made


def mutated(whole: bytes, draw: random.Random) -> bytes:
    """A few bytes changed, cut out, doubled, or replaced by something nasty; at times all of them."""
    if draw.random() < 0.1:
        return draw.randbytes(draw.randrange(200))
    found = bytearray(whole)
    for _ in range(draw.randrange(1, 4)):
        at = draw.randrange(len(found) + 1)
        how = draw.randrange(4)
        if how == 0 and at < len(found):
            found[at] = draw.randrange(256)
        elif how == 1:
            del found[at : at + draw.randrange(1, 12)]
        elif how == 2:
            found[at:at] = found[at : at + draw.randrange(1, 12)]
        else:
            found[at : at + draw.randrange(6)] = draw.choice(PIECES)
    return bytes(found)


def archive() -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, a=np.arange(6).reshape(2, 3), b=np.array([0.5, -1.5]))
    return buffer.getvalue()


def is_plain(value: Any, depth: int = 0) -> bool:
    """What a judge may count on."""
    if isinstance(value, dict):
        return depth < MAX_DEPTH + 1 and all(is_plain(part, depth + 1) for pair in value.items() for part in pair)
    if isinstance(value, list):
        return depth < MAX_DEPTH + 1 and all(is_plain(part, depth + 1) for part in value)
    if isinstance(value, str):
        return value.encode().decode() == value
    return value is None or (math.isfinite(value) and abs(value) <= 1.8e308 and (isinstance(value, float) or abs(value) < 2**63))


@pytest.mark.parametrize(
    ("read", "examples"),
    [
        (read_json, [JSON]),
        (read_jsonl, [JSON + b"\n\n" + JSON, b"1\n2\n"]),
        (lambda path: read_table(path, ["id"]), [TABLE]),
        (lambda path: read_array(path).tolist(), arrays()),
        (lambda path: read_array(path, "iufbU").tolist(), arrays()),
        (lambda path: {name: array.tolist() for name, array in read_arrays(path).items()}, [archive()]),
    ],
    ids=["json", "jsonl", "table", "array", "array of any kind", "arrays"],
)
@pytest.mark.filterwarnings("ignore")
def test_every_file_is_plain_or_breaks_the_contract(tmp_path: Path, read: Callable[[Path], Any], examples: list[bytes]) -> None:
    draw, file, passed = random.Random(20), tmp_path / "artefact", 0
    for _ in range(CASES):
        file.write_bytes(mutated(draw.choice(examples), draw))
        try:
            value = read(file)
        except BrokenContract as defect:
            assert len(str(defect)) < 500
            continue
        passed += 1
        assert is_plain(value)
    assert 0 < passed < CASES, "some are legal still, and some are not"


def test_every_value_is_a_number_an_id_or_breaks_the_contract() -> None:
    draw = random.Random(21)
    deep: Any = []
    for _ in range(MAX_DEPTH):
        deep = [deep]
    values: list[Any] = [
        None, True, 0, -1, 2**62, -(2**63) - 1, 10**400, 1.5, math.inf, -math.inf, math.nan, 1e308, "", "1", "-1", "1e400", "nan",
        "1_0", "\u0661", "\u00b2", "9" * 19, "-" + "9" * 19, "9" * 5000, "x" * 100_000, "\x00", [], {}, [1], deep, {"a": deep}, (),
    ]  # fmt: skip
    for value in values:
        for convert in (lambda: as_number(value, "x"), lambda: as_integer(value, "x"), lambda: as_number(value, "x", 0, 1)):  # noqa: B023
            try:
                assert math.isfinite(convert()) and abs(convert()) <= 1.8e308
            except BrokenContract as defect:
                assert len(str(defect)) < 500
    for _ in range(CASES):
        found = draw.choices(values, k=3)
        try:
            same_ids(found, ["1", "-1", 0], "ids")
        except BrokenContract:
            continue
        assert set(found) == {"1", "-1", 0}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[1e999]", "beyond every float"),
        ("[-1e400]", "beyond every float"),
        (json.dumps(2**63), "64 bits"),
        ('["\\ud83d"]', "half of a character"),
        ('{"\\udc00": 1}', "half of a character"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "deep"),
        ('{"a":' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1), "deep"),
    ],
)
def test_json_that_would_surprise_a_judge_is_refused(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(BrokenContract, match=told):
        read_json(tmp_path / "x.json")


def test_a_pair_of_halves_is_a_character(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('["\\ud83d\\ude00", 9007199254740993, -1.5]')
    assert read_json(tmp_path / "x.json") == ["\U0001f600", 9007199254740993, -1.5]
