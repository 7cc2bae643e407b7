# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Return of the controllers in the true environments, as a share of the way from random actions to the best policy that sees the hidden state."""

from collections import defaultdict
from pathlib import Path

import numpy as np

from rexbench.evaluation.reading import read_arrays, read_json, require

EPISODES = 200
MODES = 2048


def _returns(parts: dict[str, np.ndarray], world: dict, action: np.ndarray, memory: np.ndarray) -> float:
    """Mean discounted return of `EPISODES` episodes with the truth's own random numbers."""
    rng = np.random.default_rng(int(parts["seed"][1]))
    heap = np.cumsum(parts["chance"].astype(float), axis=-1)
    states = np.resize(parts["starts"], EPISODES).astype(int)
    seen, modes = parts["shows"][states].astype(int), np.zeros(EPISODES, int)
    live, total, weight = np.ones(EPISODES, bool), np.zeros(EPISODES), 1.0
    for _ in range(world["horizon"]):
        luck = rng.random((3, EPISODES))
        chosen, modes = action[modes, seen].astype(int), memory[modes, seen].astype(int)
        levels = heap[states, chosen]
        outcome = (luck[0][:, None] * levels[:, -1:] > levels).sum(axis=1)
        states = parts["next"][states, chosen, outcome].astype(int)
        ends = parts["ends"][states]
        amount, often = parts["pays"][states].T
        total += np.where(live & (luck[2] < often), weight * amount, 0.0)
        seen = np.where((luck[1] < parts["blank"]) & ~ends, 0, parts["shows"][states]).astype(int)
        live &= ~ends
        weight *= world["discount"]
    return float(total.mean())


def _share(parts: dict[str, np.ndarray], world: dict, action: np.ndarray, memory: np.ndarray) -> float:
    low, high = float(parts["random"]), float(parts["best"])
    return min(max((_returns(parts, world, action, memory) - low) / (high - low), 0.0), 1.0)


def _controllers(artefacts: Path, worlds: list[dict]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    arrays = read_arrays(artefacts / "results" / "controllers.npz", "iu")
    found = {}
    for world in worlds:
        name = world["id"]
        for part in ("action", "memory"):
            require(f"{name}_{part}" in arrays, f"controllers.npz: {name}_{part} is missing")
        action, memory = arrays[f"{name}_action"], arrays[f"{name}_memory"]
        shape = action.shape
        fits = len(shape) == 2 and 1 <= shape[0] <= MODES and shape[1] == world["observations"] and memory.shape == shape
        require(fits, f"{name}: action and memory must both have the shape (1 to {MODES} modes, {world['observations']} observations)")
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
        shares[int(parts["stratum"])].append(_share(parts, world, *controllers[world["id"]]))
    return {f"group_{stratum:02d}": float(np.mean(values)) for stratum, values in sorted(shares.items())}


def metrics(artefacts: Path, data: Path, truth: Path) -> dict[str, int | float | str]:
    return {"mastery": float(np.mean(list(strata(artefacts, data, truth).values())))}


def ceiling(data: Path, truth: Path) -> float:
    """The best policy that sees the hidden state defines 1."""
    return 1.0
