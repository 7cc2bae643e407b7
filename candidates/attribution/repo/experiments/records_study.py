# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How many trainings a linear datamodel needs where the pipeline is plain, and what influence functions reach without any.

For tables of public worlds the plain pipeline itself is trained on random subsets. Reported is the rank correlation over subsets
between foretold and true margins (the linear datamodeling score of Park et al.), mean over test rows and worlds.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from attribution.config import Settings
from attribution.datamodel import predict_datamodel
from attribution.influence import predict_influence
from attribution.plain import train
from attribution.worlds import World, load_worlds


def plain_world(world: World, records: int, asked: int, rng: np.random.Generator) -> tuple[World, np.ndarray]:
    """(the world as the plain pipeline would have recorded it, true margins of the asked subsets)"""
    masks = np.zeros((records + asked, world.train), bool)
    for mask in masks:
        mask[rng.choice(world.train, int(rng.integers(14, 28)), replace=False)] = True
    margins = np.array([train(world, mask) for mask in masks])
    return replace(world, subsets=masks[:records], asked=masks[records:], margins=margins[:records], noise=0.0), margins[records:]


def score(predicted: np.ndarray, true: np.ndarray) -> float:
    """Mean rank correlation over test rows."""
    return float(np.mean([spearmanr(predicted[:, at], true[:, at])[0] for at in range(true.shape[1])]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--worlds", type=int, default=4)
    parser.add_argument("--records", type=int, nargs="+", default=[30, 60, 120, 240, 480])
    arguments = parser.parse_args()
    chosen = list(load_worlds(arguments.data))[: arguments.worlds]
    strengths = list(Settings().strengths)
    print(f"{'records':>8s} {'datamodel':>10s} {'influence':>10s}")
    for records in arguments.records:
        rows = []
        for at, world in enumerate(chosen):
            made, true = plain_world(world, records, 100, np.random.default_rng(at))
            rows.append((score(predict_datamodel(made, strengths), true), score(predict_influence(made), true)))
        print(f"{records:8d} {np.mean(rows, axis=0)[0]:10.3f} {np.mean(rows, axis=0)[1]:10.3f}")


if __name__ == "__main__":
    main()
