# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Exact match, over all examples and per type."""

import csv
from collections import defaultdict
from pathlib import Path

from cogs.examples import Example


def read_predictions(path: Path) -> dict[str, list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    predictions = {row["id"]: row["prediction"].split() for row in rows}
    if len(predictions) != len(rows):
        raise ValueError(f"{path}: an id occurs twice")
    return predictions


def accuracy_by_type(examples: list[Example], predictions: dict[str, list[str]]) -> dict[str, float]:
    """Percentages; "all" is over every example, not over types."""
    hits: dict[str, list[bool]] = defaultdict(list)
    for example in examples:
        right = predictions[example.id] == example.logical_form
        hits[example.type].append(right)
        hits["all"].append(right)
    return {kind: 100 * sum(marks) / len(marks) for kind, marks in hits.items()}
