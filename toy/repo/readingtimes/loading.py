# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Loading of readings."""

import csv
from collections import defaultdict
from pathlib import Path


def load(path: Path) -> dict[str, list[float]]:
    """Readings per group, recording faults left out."""
    groups: dict[str, list[float]] = defaultdict(list)
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            milliseconds = float(row["milliseconds"])
            if milliseconds > 0:
                groups[row["group"]].append(milliseconds)
    return dict(groups)
