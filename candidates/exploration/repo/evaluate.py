# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Score controllers on the public worlds, by group, much as the judge does on held-out ones.

bash run.sh && python evaluate.py results/controllers.npz [--worlds]
"""

import argparse
import random
from collections import defaultdict
from pathlib import Path

import numpy as np

from agents.controllers import Controller, load_controllers
from agents.worlds import World, load_worlds
from episodes import ROOT
from laboratory import Environment

EPISODES = 50
"""Of each task; the judge runs more."""


def reward(environment: Environment, world: World, controller: Controller, task: int, rng: random.Random) -> float:
    """Discounted reward of one episode."""
    seen, mode = environment.begin(rng), task
    for time in range(world.horizon):
        action, mode = int(controller.action[mode, seen]), int(controller.memory[mode, seen])
        seen, paid, over = environment.step(action, rng)
        if paid == task:
            return world.discount**time
        if over:
            break
    return 0.0


def shares(controllers: dict[str, Controller], data: Path, truth: Path) -> dict[int, dict[str, list[float]]]:
    """By group, world and task: 0 is never rewarded, 1 what the best policy earns that sees all machines."""
    found: dict[int, dict[str, list[float]]] = defaultdict(dict)
    for world in load_worlds(data):
        if world.name in controllers:
            with np.load(truth / f"{world.name}.npz") as parts:
                best, group, seed = parts["best"].tolist(), int(parts["single"][4]), int(parts["seed"][1])
            environment, rng = Environment(truth / f"{world.name}.npz"), random.Random(seed)
            for task in range(world.tasks):
                earned = np.mean([reward(environment, world, controllers[world.name], task, rng) for _ in range(EPISODES)])
                found[group].setdefault(world.name, []).append(min(float(earned) / best[task], 1.0))
    return dict(sorted(found.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("controllers", type=Path, nargs="?", default=Path("results/controllers.npz"))
    parser.add_argument("--worlds", action="store_true", help="print every task of every world")
    args = parser.parse_args()
    found = shares(load_controllers(args.controllers), ROOT / "data", ROOT / "truth")
    for group, worlds in found.items():
        print(f"group {group:2d}   {np.mean(list(worlds.values())):.3f}")
        for name, tasks in worlds.items() if args.worlds else []:
            print(f"    {name}   " + " ".join(f"{share:.2f}" for share in tasks))
    print(f"mastery    {np.mean([np.mean(list(worlds.values())) for worlds in found.values()]):.4f}")


if __name__ == "__main__":
    main()
