# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Score nominations on the public worlds, by stratum, as the judge does on held-out ones.

bash run.sh && python evaluate.py results/nominations.json
"""

import argparse
import json
from collections import defaultdict
from pathlib import Path

import numpy as np

from evolve.worlds import RADII, World, encode, load_worlds
from laboratory import Landscape
from plates import ROOT


def shares(world: World, nominated: list[str], landscape: Landscape) -> np.ndarray:
    """Of each nomination: log fitness, 0 the wild type (or worse) and 1 the best sequence known within its radius."""
    wild, best = landscape.parts["wild"], landscape.parts["best"]
    variants = encode(nominated)
    far = (variants != wild).sum(axis=1)
    if len(variants) != len(RADII) or (far > RADII).any():
        raise ValueError(f"{world.name}: nominations with {far.tolist()} substitutions, allowed are {RADII}")
    low, *values = landscape.log_fitness(np.concatenate([wild[None], best, variants]), world.heat, world.acid)
    high, reached = np.array(values[: len(RADII)]), np.array(values[len(RADII) :])
    return np.clip((reached - low) / (high - low), 0.0, 1.0)


def world_scores(nominated: dict[str, list[str]], data: Path, truth: Path) -> dict[str, dict[str, np.ndarray]]:
    """By stratum and protein: the share of each nomination."""
    scores: dict[str, dict[str, np.ndarray]] = defaultdict(dict)
    for world in load_worlds(data):
        if world.name in nominated:
            landscape = Landscape(truth / f"{world.name}.npz")
            group = f"group_{int(landscape.parts['stratum']):02d}"
            scores[group][world.name] = shares(world, nominated[world.name], landscape)
    return dict(sorted(scores.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nominations", type=Path)
    parser.add_argument("--each", action="store_true", help="show all nominations")
    args = parser.parse_args()
    scores = world_scores(json.loads(args.nominations.read_text()), ROOT / "data", ROOT / "truth")
    for stratum, worlds in scores.items():
        each = "  ".join(
            f"{name} {'/'.join(f'{v:.2f}' for v in value) if args.each else f'{value.mean():.3f}'}"
            for name, value in worlds.items()
        )
        print(f"{stratum:12s} {np.mean(list(worlds.values())):.3f}   {each}")
    print(f"{'figure':12s} {np.mean([np.mean(list(worlds.values())) for worlds in scores.values()]):.4f}")


if __name__ == "__main__":
    main()
