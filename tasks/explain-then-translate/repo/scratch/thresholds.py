# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Sweep the cut-off of a heuristic: python -m scratch.thresholds lines 10 60 5

This is how the values in config/posthoc.yaml were found. Looks at the data it reports on, so for plots only.
"""

import sys
from pathlib import Path

from ett import completions
from ett.problems import load_problems
from ett.selection import select

DATA = Path("data")


def main(heuristic: str, low: int, high: int, step: int) -> None:
    problems = load_problems(DATA)
    for pair in completions.list_pairs(DATA):
        tallies = completions.load_tallies(DATA, pair)
        for threshold in range(low, high + 1, step):
            rates = select(pair, problems, tallies, heuristic, threshold).rates(1)
            print(f"{pair} {heuristic} > {threshold}: {100 * rates['selected']:.1f}")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:5]))
