# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Score nominations on the public worlds, by stratum, as the judge does on held-out ones.

bash run.sh && python evaluate.py results/nominations.json
"""

import argparse
import json
from collections import defaultdict
from pathlib import Path

import numpy as np

from evolve.worlds import encode, load_worlds
from plates import ROOT
from laboratory import Landscape


def world_scores(nominated: dict[str, list[str]], data: Path, truth: Path) -> dict[str, dict[str, float]]:
    """By stratum and protein: the best nominated log fitness, 0 the wild type and 1 the best sequence known, cut off at 0 below."""
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    for world in load_worlds(data):
        if world.name in nominated:
            landscape = Landscape(truth / f"{world.name}.npz")
            reference = np.stack([landscape.parts["wild"], landscape.parts["best"]])
            variants = np.concatenate([reference, encode(nominated[world.name])])
            low, high, *reached = landscape.log_fitness(variants, world.heat, world.acid)
            group = f"group_{int(landscape.parts['stratum']):02d}"
            scores[group][world.name] = float(np.clip((max(reached) - low) / (high - low), 0.0, 1.0))
    return dict(sorted(scores.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nominations", type=Path)
    args = parser.parse_args()
    scores = world_scores(json.loads(args.nominations.read_text()), ROOT / "data", ROOT / "truth")
    for stratum, worlds in scores.items():
        each = "  ".join(f"{name} {value:.3f}" for name, value in worlds.items())
        print(f"{stratum:16s} {np.mean(list(worlds.values())):.3f}   {each}")
    print(f"{'figure':16s} {np.mean([np.mean(list(worlds.values())) for worlds in scores.values()]):.4f}")


if __name__ == "__main__":
    main()
