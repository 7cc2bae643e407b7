# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Forecast skill: how close the new runs of each world were foretold, on a logarithmic scale that ends at a tenth of the noise."""

from pathlib import Path

import numpy as np

from rexbench.evaluation.reading import read_array, read_arrays, require

CUT = 3.0
"""A single error counts at most this many standard deviations, so that no forecast, however absurd, gives more than a skill of 0."""


def _worlds(truth: Path) -> list[tuple[np.ndarray, int, float]]:
    """(how the new runs went on, stratum, floor) of each world, in the order of their names."""
    found = []
    for path in sorted(truth.glob("world_*.npz")):
        stored = read_arrays(path)
        found.append((stored["x"], int(stored["stratum"]), float(stored["floor"])))
    return found


def _skill(forecast: np.ndarray, truth: np.ndarray, floor: float) -> float:
    spread = truth.std((0, 1))
    error = np.minimum(np.abs(forecast - truth) / spread, CUT)
    by_run = np.maximum(np.sqrt((error**2).mean((1, 2))), 1e-12)
    return float(np.clip(np.log(by_run) / np.log(floor), 0, 1).mean())


def _by_stratum(forecasts: np.ndarray, truth: Path) -> dict[str, float]:
    values: dict[int, list[float]] = {}
    for forecast, (path, stratum, floor) in zip(forecasts, _worlds(truth), strict=True):
        values.setdefault(stratum, []).append(_skill(forecast, path, floor))
    return {f"group_{stratum:02d}": float(np.mean(values[stratum])) for stratum in sorted(values)}


def _forecasts(artefacts: Path, truth: Path) -> np.ndarray:
    worlds = _worlds(truth)
    wanted = (len(worlds), *worlds[0][0].shape)
    array = read_array(artefacts / "results" / "forecasts.npy", dtypes="f")
    require(array.shape == wanted, f"forecasts.npy: shape {array.shape}, should be {wanted}")
    return array.astype(np.float64)


def strata(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """Skill by stratum."""
    return _by_stratum(_forecasts(artefacts, truth), truth)


def metrics(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """The mean over strata."""
    return {"skill": float(np.mean(list(strata(artefacts, data, truth).values())))}


def ceiling(data: Path, truth: Path) -> float:
    """What the true systems, simulated from the given starts, reach."""
    return float(np.mean(list(_by_stratum(np.stack([path for path, _, _ in _worlds(truth)]), truth).values())))
