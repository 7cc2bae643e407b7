# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Skill of merged networks on the public worlds: by world, by group and altogether. Reads truth/, which evaluations lack."""

import argparse
from pathlib import Path

import numpy as np
from merging.score import relative_error, skill
from merging.worlds import load_worlds, read_networks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--truth", type=Path, default=Path("truth"))
    parser.add_argument("--worlds", action="store_true", help="also print a line per world")
    arguments = parser.parse_args()
    worlds = list(load_worlds(arguments.data))
    groups: dict[int, list[float]] = {}
    for world, network in zip(worlds, read_networks(arguments.results / "networks.npz", worlds), strict=True):
        with np.load(arguments.truth / f"{world.name}.npz") as file:
            x, y, group, floor = file["x"], file["y"], int(file["stratum"]), float(file["floor"])
        assert network.sizes == world.sizes, f"{world.name}: sizes {network.sizes}, wanted {world.sizes}"
        value = skill(network(x), y, floor)
        groups.setdefault(group, []).append(value)
        if arguments.worlds:
            error = relative_error(network(x), y)
            print(f"{world.name}  group {group:2d}  {world.activation:5s}  skill {value:.3f}  error {error:.4f}  floor {floor:.4f}")
    for group in sorted(groups):
        print(f"group {group:2d}  {np.mean(groups[group]):.3f}   ({' '.join(f'{value:.2f}' for value in groups[group])})")
    print(f"skill {np.mean([np.mean(values) for values in groups.values()]):.4f}")


if __name__ == "__main__":
    main()
