# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Reading data/: the puzzles and the teacher's log. The format is described in docs/logs.md."""

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tot.game import Numbers, parse_numbers


@dataclass(frozen=True)
class Puzzle:
    idx: int
    numbers: Numbers


def read_puzzles(path: Path) -> list[Puzzle]:
    with path.open(encoding="utf-8", newline="") as file:
        return [Puzzle(int(row["idx"]), parse_numbers(row["numbers"])) for row in csv.DictReader(file)]


def read_log(path: Path) -> list[dict[str, Any]]:
    """All records, as they were appended."""
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]
