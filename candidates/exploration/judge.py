# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Discounted reward of the controllers in the true environments, as a share of what the best policy earns that sees all machines."""

from collections import defaultdict
from pathlib import Path

import numpy as np

from rexbench.evaluation.reading import read_arrays, read_json, require

EPISODES = 150
"""Of each task."""
MODES = 4096


def _earned(parts: dict[str, np.ndarray], world: dict, action: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Mean discounted reward by task, with the truth's own random numbers. One column is one episode."""
    rng = np.random.default_rng(int(parts["seed"][1]))
    goals, hand, moves, shows = parts["goals"].astype(int), parts["hand"], parts["moves"], parts["shows"]
    sea, by_hand, context, fuel = parts["roles"].tolist()
    start, pit, charger, quiet, _ = parts["single"].tolist()
    slip, dark = parts["chances"].tolist()
    count, (machines, _, places, actions) = len(goals) * EPISODES, parts["machine_step"].shape
    step, rows = parts["machine_step"].astype(int), np.arange(machines)[:, None]
    door = np.full((places, actions), -1)
    door[parts["doors"][:, 0], parts["doors"][:, 1]] = np.arange(len(parts["doors"]))
    inside, outside = parts["doors"][:, 2].astype(int), parts["doors"][:, 3].astype(int)
    empty = int(parts["machine_step"][fuel].max())
    heap = np.cumsum(parts["machine_first"].astype(float), axis=1)
    states = (rng.random((machines, count, 1)) >= heap[:, None, :-1]).sum(axis=2)
    task = np.repeat(np.arange(len(goals)), EPISODES)
    modes, place, zero = task.copy(), np.full(count, start), np.zeros(count, int)
    seen = shows[states[context] if context >= 0 else zero, place].astype(int)
    live, total, weight = np.ones(count, bool), np.zeros(count), 1.0
    for _ in range(world["horizon"]):
        luck, slipped = rng.random((3, count)), rng.integers(actions, size=count)
        chosen, modes = action[modes, seen].astype(int), memory[modes, seen].astype(int)
        done = hand[states[by_hand] if by_hand >= 0 else zero, np.where(luck[0] < slip, slipped, chosen)]
        after = moves[states[sea] if sea >= 0 else zero, place, done].astype(int)
        met = door[place, done]
        chance = np.ones(count)
        for machine, opens in zip(parts["conditions"].T, parts["opens"].transpose(1, 0, 2), strict=True):
            needed = machine[met]
            chance *= np.where(needed >= 0, opens[met, states[needed, np.arange(count)]], 1.0)
        through, shut = (met >= 0) & (luck[1] < chance), (met >= 0) & (luck[1] >= chance)
        after = np.where(through, inside[met], np.where(shut & (outside[met] >= 0), outside[met], np.where(shut, place, after)))
        shut &= outside[met] < 0
        if fuel >= 0:
            dry = (states[fuel] == empty) & (place != charger)
            after, shut = np.where(dry, pit, after), shut & ~dry
        states = step[rows, states, place, chosen]
        place = after
        seen = shows[states[context] if context >= 0 else zero, place].astype(int)
        seen = np.where((luck[2] < dark) & (place != pit), 0, np.where(shut & (quiet == 0), 1, seen))
        arrived = live & (place == goals[task])
        total[arrived] += weight
        live &= ~arrived & (place != pit)
        weight *= world["discount"]
    return total.reshape(len(goals), EPISODES).mean(axis=1)


def _controllers(artefacts: Path, worlds: list[dict]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    arrays = read_arrays(artefacts / "results" / "controllers.npz", "iu")
    found = {}
    for world in worlds:
        name = world["id"]
        for part in ("action", "memory"):
            require(f"{name}_{part}" in arrays, f"controllers.npz: {name}_{part} is missing")
        action, memory = arrays[f"{name}_action"], arrays[f"{name}_memory"]
        shape = action.shape
        fits = len(shape) == 2 and world["tasks"] <= shape[0] <= MODES and shape[1] == world["observations"] and memory.shape == shape
        require(fits, f"{name}: action and memory must both have the shape ({world['tasks']} to {MODES} modes, {world['observations']} observations)")
        require(bool((action >= 0).all() and (action < world["actions"]).all()), f"{name}_action: not all are actions")
        require(bool((memory >= 0).all() and (memory < shape[0]).all()), f"{name}_memory: not all are modes")
        found[name] = (action, memory)
    return found


def strata(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    worlds = read_json(data / "worlds.json")["worlds"]
    controllers = _controllers(artefacts, worlds)
    shares: dict[int, list[float]] = defaultdict(list)
    for world in worlds:
        parts = read_arrays(truth / f"{world['id']}.npz", "biuf")
        earned = _earned(parts, world, *controllers[world["id"]])
        shares[int(parts["single"][4])].append(float(np.minimum(earned / parts["best"], 1.0).mean()))
    return {f"group_{stratum:02d}": float(np.mean(values)) for stratum, values in sorted(shares.items())}


def metrics(artefacts: Path, data: Path, truth: Path) -> dict[str, int | float | str]:
    return {"mastery": float(np.mean(list(strata(artefacts, data, truth).values())))}


def ceiling(data: Path, truth: Path) -> float:
    """The best policy that sees all machines defines 1."""
    return 1.0
