# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Summarise the readings per group."""

import csv
from pathlib import Path

from readingtimes.loading import load
from readingtimes.summary import mean


def main() -> None:
    groups = load(Path("data/readings.csv"))
    Path("results").mkdir(exist_ok=True)
    with Path("results/means.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["group", "mean"])
        for group, readings in sorted(groups.items()):
            table.writerow([group, f"{mean(readings):.6f}"])


if __name__ == "__main__":
    main()
