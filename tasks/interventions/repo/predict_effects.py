# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Predict the effects that are asked for, world by world.

python predict_effects.py --out results/effects.npy
"""

import argparse
from pathlib import Path

import numpy as np

from bench import ROOT
from causal.linear import fit_linear
from causal.worlds import World, load_worlds


def predict(world: World, penalty: float) -> np.ndarray:
    """(queries, variables): the changes of the means, from the archive alone."""
    model, mean = fit_linear(world.archive, penalty), world.archive.mean(0)
    return np.array([model.effects(held, pushed, mean) for held, pushed in zip(world.query_set, world.query_push, strict=True)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "results" / "effects.npy")
    parser.add_argument("--penalty", type=float, default=0.05, help="of the lasso, in standard deviations")
    arguments = parser.parse_args()
    effects = np.array([predict(world, arguments.penalty) for world in load_worlds(ROOT / "data")])
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    np.save(arguments.out, effects)


if __name__ == "__main__":
    main()
