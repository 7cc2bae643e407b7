# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Skill of merged networks: how close their outputs are to those wanted, on a logarithm that ends at half of the weights' noise."""

from pathlib import Path

import numpy as np

from rexbench.evaluation.reading import read_arrays, require

CUT = 3.0
"""A single error counts at most this many standard deviations, so that no network, however absurd, gives less than a skill of 0."""
SLOPE = 0.1

Network = list[tuple[np.ndarray, np.ndarray]]


def _worlds(truth: Path) -> list[dict[str, np.ndarray]]:
    return [read_arrays(path) for path in sorted(truth.glob("world_*.npz"))]


def _outputs(network: Network, world: dict[str, np.ndarray]) -> np.ndarray:
    signal = world["x"]
    with np.errstate(all="ignore"):
        for at, (weights, biases) in enumerate(network):
            signal = signal @ weights.T + biases
            if at < 2:
                signal = np.tanh(signal) if int(world["odd"]) else np.maximum(signal, SLOPE * signal)
    return signal


def _skill(outputs: np.ndarray, world: dict[str, np.ndarray]) -> float:
    wanted = world["y"]
    with np.errstate(all="ignore"):
        error = np.abs(outputs - wanted) / wanted.std(0)
    error = np.where(np.isfinite(error), np.minimum(error, CUT), CUT)
    size = max(float(np.sqrt((error**2).mean())), 1e-12)
    return float(np.clip(np.log(size) / np.log(float(world["floor"])), 0, 1))


def _networks(artefacts: Path, worlds: list[dict[str, np.ndarray]]) -> list[Network]:
    stored = read_arrays(artefacts / "results" / "networks.npz", dtypes="f")
    found: list[Network] = []
    for number, world in enumerate(worlds):
        sizes = [int(size) for size in world["sizes"]]
        network = []
        for at in range(3):
            layer = []
            for part, shape in (("w", (sizes[at + 1], sizes[at])), ("b", (sizes[at + 1],))):
                name = f"world_{number:02d}_{part}{at}"
                require(name in stored, f"networks.npz: no array {name}")
                require(stored[name].shape == shape, f"networks.npz: {name} has shape {stored[name].shape}, should be {shape}")
                layer.append(stored[name].astype(np.float64))
            network.append((layer[0], layer[1]))
        found.append(network)
    return found


def _by_stratum(outputs: list[np.ndarray], worlds: list[dict[str, np.ndarray]]) -> dict[str, float]:
    values: dict[int, list[float]] = {}
    for given, world in zip(outputs, worlds, strict=True):
        values.setdefault(int(world["stratum"]), []).append(_skill(given, world))
    return {f"group_{stratum:02d}": float(np.mean(values[stratum])) for stratum in sorted(values)}


def strata(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """Skill by stratum."""
    worlds = _worlds(truth)
    networks = _networks(artefacts, worlds)
    return _by_stratum([_outputs(network, world) for network, world in zip(networks, worlds, strict=True)], worlds)


def metrics(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """The mean over strata."""
    return {"skill": float(np.mean(list(strata(artefacts, data, truth).values())))}


def ceiling(data: Path, truth: Path) -> float:
    """What the network with all skills itself reaches."""
    worlds = _worlds(truth)
    return float(np.mean(list(_by_stratum([world["y"] for world in worlds], worlds).values())))
