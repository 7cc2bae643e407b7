# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Skill of predicted effects: how close they come to the true ones, on a logarithmic scale from no prediction to a small fraction of the effects' size."""

from pathlib import Path

import numpy as np

from rexbench.evaluation.reading import read_array, read_arrays, require

FLOOR = 0.03
"""Relative error that counts as perfect."""
CUT = 10.0
"""A single error counts at most this many standard deviations."""


def _worlds(truth: Path) -> list[tuple[np.ndarray, np.ndarray, int]]:
    """(effects in standard deviations, which of them count, stratum) of each world, in the order of their names."""
    found = []
    for path in sorted(truth.glob("world_*.npz")):
        stored = read_arrays(path)
        found.append((stored["effects"] / stored["spread"], stored["scored"] == 1, int(stored["stratum"])))
    return found


def _skill(predicted: np.ndarray, effects: np.ndarray, counts: np.ndarray) -> float:
    """Mean over queries of log(error / size) / log(FLOOR), clipped to [0, 1]; size is that of all effects in the world."""
    size = np.sqrt((effects[counts] ** 2).mean())
    squares = np.where(counts, np.minimum(np.abs(predicted - effects), CUT) ** 2, 0.0)
    errors = np.sqrt(squares.sum(1) / counts.sum(1))
    return float(np.clip(np.log(np.maximum(errors / size, 1e-12)) / np.log(FLOOR), 0, 1).mean())


def _predicted(artefacts: Path, truth: Path) -> np.ndarray:
    worlds = _worlds(truth)
    wanted = (len(worlds), *worlds[0][0].shape)
    array = read_array(artefacts / "results" / "effects.npy", dtypes="f")
    require(array.shape == wanted, f"effects.npy: shape {array.shape}, should be {wanted}")
    return array.astype(np.float64)


def _by_stratum(predicted: list[np.ndarray], truth: Path) -> dict[str, float]:
    values: dict[int, list[float]] = {}
    for guess, (effects, counts, stratum) in zip(predicted, _worlds(truth), strict=True):
        values.setdefault(stratum, []).append(_skill(guess, effects, counts))
    return {f"group_{stratum:02d}": float(np.mean(values[stratum])) for stratum in sorted(values)}


def strata(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """Skill by stratum."""
    spreads = [read_arrays(path)["spread"] for path in sorted(truth.glob("world_*.npz"))]
    predicted = _predicted(artefacts, truth)
    return _by_stratum([guess / spread for guess, spread in zip(predicted, spreads, strict=True)], truth)


def metrics(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """The mean over strata."""
    return {"skill": float(np.mean(list(strata(artefacts, data, truth).values())))}


def ceiling(data: Path, truth: Path) -> float:
    """What the true models reach."""
    return float(np.mean(list(_by_stratum([effects for effects, _, _ in _worlds(truth)], truth).values())))
