"""The table is the right one in a disguise: with a mark at its start, NUL bytes, another encoding, digits of another script."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.task.folder import Task
from tests.attacks.conftest import Judge
from tests.attacks.scene import answer, host_untouched

WRITE = "mkdir results && cp told.bin results/medians.csv\n"


def _disguised(kind: str, right: str) -> bytes:
    lines = right.splitlines()
    return {
        "byte order mark": b"\xef\xbb\xbf" + right.encode(),
        "utf-16": right.encode("utf-16"),
        "latin-1": (right + "caf\xe9,1.0\n").encode("latin-1"),
        "NUL in a number": right.replace(".", ".\0", 1).encode(),
        "NUL at the end": right.encode() + b"\0" * 4096,
        "unclosed quote": right.encode() + b'"z,1.0\n',
        "look-alike group": right.replace("\na,", "\n\u0430,").encode(),
        "header twice": (lines[0] + "\n" + right).encode(),
        "column twice": ("group,median,median\n" + "".join(f"{line},1.0\n" for line in lines[1:])).encode(),
        "infinite": right.replace(lines[1].split(",")[1], "inf").encode(),
        "not a number": right.replace(lines[1].split(",")[1], "nan").encode(),
        "negative": right.replace(lines[1].split(",")[1], "-1.0").encode(),
        "too large": right.encode() + b"\n" * (2 * 2**20),
        "empty": b"",
        "one endless field": right.encode() + b"z" * 500_000 + b",1.0\n",
    }[kind]


KINDS = [
    *("byte order mark", "utf-16", "latin-1", "NUL in a number", "NUL at the end", "unclosed quote", "look-alike group"),
    *("header twice", "column twice", "infinite", "not a number", "negative", "too large", "empty", "one endless field"),
]


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_that_is_not_as_it_was_asked_for_is_a_bad_artefact(
    toy: Task, judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path, kind: str
) -> None:
    patch = patch_of({"run.sh": WRITE, "told.bin": _disguised(kind, answer(toy))})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert verdict.outcome == "bad_artifact"
    assert verdict.metrics == ()


def test_line_ends_and_order_alone_change_nothing(toy: Task, judge: Judge, patch_of: Callable[..., bytes]) -> None:
    header, *rows = answer(toy).splitlines()
    mixed = "\r\n".join([header, *reversed(rows)]).encode() + b"\n\r\n"
    assert judge(patch_of({"run.sh": WRITE, "told.bin": mixed})).outcome == "success"
