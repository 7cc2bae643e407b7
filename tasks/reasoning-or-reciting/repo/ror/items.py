# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What is asked: addition queries and comprehension checks, as they lie in the data folder (see docs/data.md)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ror.numerals import DEFAULT_BASE, has_carry


@dataclass(frozen=True)
class Query:
    id: str
    left: str
    right: str


@dataclass(frozen=True)
class Check:
    """A prefix; the numbers asked are the prefix followed by the lowest and by the highest digit."""

    id: str
    prefix: str

    def numbers(self, base: int) -> dict[str, str]:
        """Row id to number."""
        return {f"{self.id}/low": f"{self.prefix}0", f"{self.id}/high": f"{self.prefix}{base - 1}"}


def read_rows(path: Path) -> Iterator[dict]:
    with path.open() as lines:
        for line in lines:
            yield json.loads(line)


def load_queries(data: Path, base: int) -> list[Query]:
    return [Query(row["id"], row["left"], row["right"]) for row in read_rows(data / "queries" / f"base{base}.jsonl")]


def load_checks(data: Path, base: int) -> list[Check]:
    return [Check(row["id"], row["prefix"]) for row in read_rows(data / "checks" / f"base{base}.jsonl")]


def is_counterfactual_item(left: str, right: str, base: int) -> bool:
    """Whether an addition tells a counterfactual base from base ten. Without a carry the answer is the same in both."""
    return base == DEFAULT_BASE or has_carry(left, right, base)


def select(queries: list[Query], base: int, limit: int) -> list[Query]:
    """The queries that are evaluated: in file order, those that count, up to the limit."""
    return [query for query in queries if is_counterfactual_item(query.left, query.right, base)][:limit]
