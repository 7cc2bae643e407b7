# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Score controllers on the public worlds, by group, as the judge does on held-out ones.

bash run.sh && python evaluate.py results/controllers.npz [--worlds]
"""

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np

from agents.controllers import Controller, load_controllers
from agents.worlds import World, load_worlds
from episodes import ROOT
from laboratory import Environment

EPISODES = 200


def mean_return(environment: Environment, world: World, controller: Controller, rng: np.random.Generator) -> float:
    """Mean discounted return over `EPISODES` episodes."""
    starts = environment.parts["starts"]
    states = np.resize(starts, EPISODES).astype(int)
    seen, modes = environment.parts["shows"][states].astype(int), np.zeros(EPISODES, int)
    live, total, weight = np.ones(EPISODES, bool), np.zeros(EPISODES), 1.0
    for _ in range(world.horizon):
        chosen, modes = controller.action[modes, seen].astype(int), controller.memory[modes, seen].astype(int)
        states, seen, paid, ends = environment.step(states, chosen, rng)
        total += np.where(live, weight * paid, 0.0)
        live &= ~ends
        weight *= world.discount
    return float(total.mean())


def world_scores(controllers: dict[str, Controller], data: Path, truth: Path) -> dict[int, dict[str, float]]:
    """By group and world: 0 what random actions earn, 1 what the best policy earns that sees the hidden state."""
    scores: dict[int, dict[str, float]] = defaultdict(dict)
    for world in load_worlds(data):
        if world.name in controllers:
            environment = Environment(truth / f"{world.name}.npz")
            low, high = float(environment.parts["random"]), float(environment.parts["best"])
            rng = np.random.default_rng(int(environment.parts["seed"][1]))
            reached = mean_return(environment, world, controllers[world.name], rng)
            scores[int(environment.parts["stratum"])][world.name] = min(max((reached - low) / (high - low), 0.0), 1.0)
    return dict(sorted(scores.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("controllers", type=Path, nargs="?", default=Path("results/controllers.npz"))
    args = parser.parse_args()
    scores = world_scores(load_controllers(args.controllers), ROOT / "data", ROOT / "truth")
    for group, worlds in scores.items():
        each = "  ".join(f"{name} {value:.3f}" for name, value in worlds.items())
        print(f"group {group:2d}   {np.mean(list(worlds.values())):.3f}   {each}")
    print(f"mastery    {np.mean([np.mean(list(worlds.values())) for worlds in scores.values()]):.4f}")


if __name__ == "__main__":
    main()
