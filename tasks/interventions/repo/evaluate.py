# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Skill on the public worlds, by group, as the evaluation computes it.

bash run_effects.sh && python evaluate.py [--worlds]
"""

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np

from bench import ROOT
from causal.skill import skill_by_query
from causal.worlds import load_worlds


def skills(predicted: np.ndarray, data: Path, truth: Path) -> dict[int, dict[str, float]]:
    """By group and world."""
    found: dict[int, dict[str, float]] = defaultdict(dict)
    for guess, world in zip(predicted, load_worlds(data), strict=True):
        with np.load(truth / f"{world.name}.npz") as kept:
            by_query = skill_by_query(guess, kept["effects"], kept["spread"], world.query_set)
            found[int(kept["stratum"])][world.name] = float(by_query.mean())
    return dict(sorted(found.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--effects", type=Path, default=ROOT / "results" / "effects.npy")
    parser.add_argument("--worlds", action="store_true", help="a figure for each world too")
    arguments = parser.parse_args()
    found = skills(np.load(arguments.effects), ROOT / "data", ROOT / "truth")
    for group, worlds in found.items():
        each = "  ".join(f"{name} {value:.3f}" for name, value in worlds.items()) if arguments.worlds else ""
        print(f"group {group:2d}  {np.mean(list(worlds.values())):.3f}  {each}")
    print(f"skill     {np.mean([np.mean(list(worlds.values())) for worlds in found.values()]):.4f}")


if __name__ == "__main__":
    main()
