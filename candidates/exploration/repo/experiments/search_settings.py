# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Random search over the settings of the baseline, on the public worlds.

python -m experiments.search_settings --config configs/search.json
"""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

from agents.qlearning import Settings, train
from agents.worlds import load_worlds
from episodes import ROOT, connect
from evaluate import shares


def figure(settings: Settings, seed: int) -> float:
    """Mean over groups of one run in all worlds."""
    worlds = load_worlds(ROOT / "data")
    lab = connect({world.name: world.steps for world in worlds})
    trained = {world.name: train(world, lab, settings, np.random.default_rng([seed, at])) for at, world in enumerate(worlds)}
    found = shares(trained, ROOT / "data", ROOT / "truth")
    return float(np.mean([np.mean(list(group.values())) for group in found.values()]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", type=Path, default=ROOT / "configs" / "search.json")
    args = parser.parse_args()
    config = json.loads(args.config.read_text())
    rng = np.random.default_rng(0)
    for _ in range(config["trials"]):
        settings = Settings(
            rate=float(rng.uniform(*config["rate"])), epsilon=float(rng.uniform(*config["epsilon"])), optimism=float(rng.choice(config["optimism"]))
        )
        print(f"{figure(settings, 0):.4f} {asdict(settings)}", flush=True)


if __name__ == "__main__":
    main()
