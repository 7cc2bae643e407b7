# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Skill of positions on the public worlds: by world, by group and altogether. Reads truth/, which an evaluation does not have."""

import argparse
from pathlib import Path

import numpy as np
from sound.skill import event_skill


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--truth", type=Path, default=Path("truth"))
    parser.add_argument("--worlds", action="store_true", help="also print a line per world")
    arguments = parser.parse_args()
    placed = np.load(arguments.results / "positions.npy")
    groups: dict[int, list[float]] = {}
    for path, guesses in zip(sorted(arguments.truth.glob("world_*.npz")), placed, strict=True):
        with np.load(path) as file:
            truth, floors, group = file["positions"], file["floors"], int(file["stratum"])
        skills = [event_skill(*parts) for parts in zip(guesses, truth, floors, strict=True)]
        groups.setdefault(group, []).append(float(np.mean(skills)))
        if arguments.worlds:
            errors = " ".join(f"{np.hypot(*(guess[0] - true[0])):5.2f}" for guess, true in zip(guesses, truth, strict=True))
            print(f"{path.stem}  group {group:2d}  skill {np.mean(skills):.3f}  metres from first place to first call {errors}")
    for group in sorted(groups):
        print(f"group {group:2d}  {np.mean(groups[group]):.3f}   ({' '.join(f'{value:.2f}' for value in groups[group])})")
    print(f"skill {np.mean([np.mean(values) for values in groups.values()]):.4f}")


if __name__ == "__main__":
    main()
