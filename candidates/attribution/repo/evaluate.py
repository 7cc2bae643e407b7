# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Skill of results/margins.npy on the public worlds, by group."""

import argparse
from pathlib import Path

import numpy as np

from attribution.skill import errors, skill


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--margins", type=Path, default=Path("results/margins.npy"))
    parser.add_argument("--truth", type=Path, default=Path("truth"))
    parser.add_argument("--worlds", action="store_true", help="also print every world, with its errors by kind of subset")
    arguments = parser.parse_args()
    predicted = np.load(arguments.margins)
    groups: dict[int, list[float]] = {}
    for margins, path in zip(predicted, sorted(arguments.truth.glob("world_*.npz")), strict=True):
        with np.load(path) as file:
            truth, floor, group = file["margins"], float(file["floor"]), int(file["stratum"])
        groups.setdefault(group, []).append(skill(margins, truth, floor))
        if arguments.worlds:
            kinds = " ".join(f"{error:.3f}" for error in errors(margins, truth))
            print(f"{path.stem}: group {group:2d}, floor {floor:.3f}, errors {kinds}, skill {groups[group][-1]:.3f}")
    for group in sorted(groups):
        print(f"group {group:2d}: {np.mean(groups[group]):.3f}")
    print(f"skill: {np.mean([np.mean(values) for values in groups.values()]):.4f}")


if __name__ == "__main__":
    main()
