# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Train an agent on every world of data/ and write its controllers.

python run_agents.py --out results/controllers.npz
"""

import argparse
import json
import os
from pathlib import Path

import numpy as np

from agents.controllers import save_controllers
from agents.qlearning import Settings, train
from agents.worlds import load_worlds
from episodes import ROOT, connect


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("results/controllers.npz"))
    parser.add_argument("--settings", type=json.loads, default={}, help="JSON object with fields of agents.qlearning.Settings")
    parser.add_argument("--worlds", nargs="*", help="names of worlds; all of them if not given")
    args = parser.parse_args()
    seed = int(os.environ.get("SEED", "0"))
    worlds = load_worlds(ROOT / "data")
    lab, settings, controllers = connect({world.name: world.steps for world in worlds}), Settings(**args.settings), {}
    for at, world in enumerate(worlds):
        if args.worlds is None or world.name in args.worlds:
            controllers[world.name] = train(world, lab, settings, np.random.default_rng([seed, at]))
    save_controllers(controllers, args.out)


if __name__ == "__main__":
    main()
