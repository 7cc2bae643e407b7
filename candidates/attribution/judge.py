# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Skill of predicted margins: how close they come to what was really learnt, on a logarithmic scale down to a floor, by kind of subset."""

from pathlib import Path

import numpy as np

from rexbench.evaluation.reading import read_array, read_arrays, require

KINDS = 4


def _worlds(truth: Path) -> list[tuple[np.ndarray, int, float]]:
    """(margins, stratum, floor) of each world, in the order of their names."""
    found = []
    for path in sorted(truth.glob("world_*.npz")):
        stored = read_arrays(path)
        found.append((stored["margins"], int(stored["stratum"]), float(stored["floor"])))
    return found


def _skill(margins: np.ndarray, truth: np.ndarray, floor: float) -> float:
    each = truth.reshape(KINDS, -1, truth.shape[1])
    spread = np.sqrt(np.mean((each - each.mean(1, keepdims=True)) ** 2, axis=(1, 2)))
    # Clipped first, so that squares of absurd values stay finite; no true margin comes near the bound.
    wrong = (np.clip(margins, -1e6, 1e6) - truth).reshape(each.shape)
    error = np.sqrt(np.mean(wrong**2, axis=(1, 2))) / spread
    return float(np.mean(np.clip(np.log(np.maximum(error, 1e-12)) / np.log(floor), 0, 1)))


def _by_stratum(margins: np.ndarray, truth: Path) -> dict[str, float]:
    values: dict[int, list[float]] = {}
    for predicted, (true, stratum, floor) in zip(margins, _worlds(truth), strict=True):
        values.setdefault(stratum, []).append(_skill(predicted, true, floor))
    return {f"group_{stratum:02d}": float(np.mean(values[stratum])) for stratum in sorted(values)}


def _margins(artefacts: Path, truth: Path) -> np.ndarray:
    worlds = _worlds(truth)
    wanted = (len(worlds), *worlds[0][0].shape)
    array = read_array(artefacts / "results" / "margins.npy", dtypes="f")
    require(array.shape == wanted, f"margins.npy: shape {array.shape}, should be {wanted}")
    return array.astype(np.float64)


def strata(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """Skill by stratum."""
    return _by_stratum(_margins(artefacts, truth), truth)


def metrics(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """The mean over strata."""
    return {"skill": float(np.mean(list(strata(artefacts, data, truth).values())))}


def ceiling(data: Path, truth: Path) -> float:
    """What the true margins reach."""
    return float(np.mean(list(_by_stratum(np.stack([margins for margins, _, _ in _worlds(truth)]), truth).values())))
