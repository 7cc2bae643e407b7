# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The Python side: source programs and the function in each that gets translated."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Problem:
    problem_id: str
    entry_point: str
    """What the unit tests call. Dotted where it is a method, see papers/tang2023.md."""
    source: str
    """The whole source text as the model saw it; may hold helpers and may not be valid Python 3."""


def load_problems(data_dir: Path) -> dict[str, Problem]:
    """All source programs by id, in file order."""
    problems = {}
    with open(data_dir / "sources.jsonl") as f:
        for line in f:
            row = json.loads(line)
            problems[row["problem_id"]] = Problem(row["problem_id"], row["entry_point"], row["source"])
    return problems
