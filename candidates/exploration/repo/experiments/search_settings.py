# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Random search over the settings of the baseline, on the public worlds.

python -m experiments.search_settings --trials 20
"""

import argparse
from dataclasses import asdict

import numpy as np

from agents.qlearning import Settings, train
from agents.worlds import load_worlds
from episodes import ROOT, connect
from evaluate import world_scores


def figure(settings: Settings, seed: int) -> float:
    """Mean over groups of one run in all worlds."""
    worlds = load_worlds(ROOT / "data")
    lab = connect({world.name: world.steps for world in worlds})
    trained = {world.name: train(world, lab, settings, np.random.default_rng([seed, at])) for at, world in enumerate(worlds)}
    scores = world_scores(trained, ROOT / "data", ROOT / "truth")
    return float(np.mean([np.mean(list(group.values())) for group in scores.values()]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=20)
    args = parser.parse_args()
    rng = np.random.default_rng(0)
    for _ in range(args.trials):
        settings = Settings(
            rate=float(rng.uniform(0.05, 1.0)), epsilon=float(rng.uniform(0.02, 0.6)), optimism=float(rng.choice([0.0, 0.3, 1.0]))
        )
        print(f"{figure(settings, 0):.4f} {asdict(settings)}", flush=True)


if __name__ == "__main__":
    main()
