# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Skill of images on the public worlds: by world, by group and altogether. Reads truth/, which an evaluation does not have."""

import argparse
from pathlib import Path

import numpy as np
from tomo.skill import error, skill


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--truth", type=Path, default=Path("truth"))
    parser.add_argument("--worlds", action="store_true", help="also print a line per world")
    arguments = parser.parse_args()
    images = np.load(arguments.results / "images.npy")
    groups: dict[int, list[float]] = {}
    for path, image in zip(sorted(arguments.truth.glob("world_*.npz")), images, strict=True):
        with np.load(path) as file:
            truth, group, floor = file["image"], int(file["stratum"]), float(file["floor"])
        value = skill(image, truth, floor)
        groups.setdefault(group, []).append(value)
        if arguments.worlds:
            print(f"{path.stem}  group {group:2d}  skill {value:.3f}  floor {floor:.4f}  error {error(image, truth):.4f}")
    for group in sorted(groups):
        print(f"group {group:2d}  {np.mean(groups[group]):.3f}   ({' '.join(f'{value:.2f}' for value in groups[group])})")
    print(f"skill {np.mean([np.mean(values) for values in groups.values()]):.4f}")


if __name__ == "__main__":
    main()
