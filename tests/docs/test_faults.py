"""Every row of docs/faults.md is a test that exists, and its outcome one that the program gives."""

import re
from pathlib import Path
from typing import get_args

from rexbench.record.model import AgentOutcome, Outcome

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "faults.md"
ROW = re.compile(r"^\| (?P<cause>.+?) \| (?P<outcome>.+?) \| `(?P<file>[\w/]+\.py)::(?P<test>\w+)` \|$", re.MULTILINE)


def test_every_cause_is_tested() -> None:
    rows = ROW.findall(PAGE.read_text())
    assert len(rows) >= 40 and len({cause for cause, *_ in rows}) == len(rows)
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("| ") and not line.startswith("| cause")]
    assert len(lines) == len(rows), "a row is not of the form cause, outcome, test"
    missing = [f"{file}::{test}" for _, _, file, test in rows if f"def {test}(" not in _source(TESTS / file)]
    assert not missing


def test_every_outcome_is_one_that_the_program_gives() -> None:
    known = {*get_args(Outcome), *get_args(AgentOutcome)}
    named = {name for _, outcome, *_ in ROW.findall(PAGE.read_text()) for name in re.findall(r"`(\w+)`", outcome)}
    assert named and named <= known


def _source(path: Path) -> str:
    return path.read_text() if path.is_file() else ""
