# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Localisation skill: how close to each call its position was placed, on a logarithmic scale that ends near what noise allows."""

from pathlib import Path

import numpy as np

from rexbench.evaluation.reading import read_array, read_arrays, require

LEVEL = 6.0
"""Metres; an error of this size and above counts nothing. The centre of the field is farther than this from most calls."""


def _worlds(truth: Path) -> list[tuple[np.ndarray, np.ndarray, int]]:
    """(positions, floors, stratum) of each world, in the order of their names."""
    found = []
    for path in sorted(truth.glob("world_*.npz")):
        stored = read_arrays(path)
        found.append((stored["positions"], stored["floors"], int(stored["stratum"])))
    return found


def _skill(error: float, floor: float) -> float:
    return float(np.clip(np.log(max(error, 1e-9) / LEVEL) / np.log(floor / LEVEL), 0, 1))


def _event(placed: np.ndarray, truth: np.ndarray, floors: np.ndarray) -> float:
    """Mean over the calls of an event, under the assignment of placed to true positions that gives most."""
    if len(truth) == 1:
        return _skill(float(np.hypot(*(placed[0] - truth[0]))), float(floors[0]))
    orders = [
        [_skill(float(np.hypot(*(placed[order[k]] - truth[k]))), float(floors[k])) for k in (0, 1)] for order in ((0, 1), (1, 0))
    ]
    return max(float(np.mean(order)) for order in orders)


def _by_stratum(placed: np.ndarray, truth: Path) -> dict[str, float]:
    values: dict[int, list[float]] = {}
    for guesses, (positions, floors, stratum) in zip(placed, _worlds(truth), strict=True):
        skills = [_event(guess, true, floor) for guess, true, floor in zip(guesses, positions, floors, strict=True)]
        values.setdefault(stratum, []).append(float(np.mean(skills)))
    return {f"group_{stratum:02d}": float(np.mean(values[stratum])) for stratum in sorted(values)}


def _placed(artefacts: Path, truth: Path) -> np.ndarray:
    worlds = _worlds(truth)
    wanted = (len(worlds), len(worlds[0][0]), 2, 2)
    array = read_array(artefacts / "results" / "positions.npy", dtypes="f")
    require(array.shape == wanted, f"positions.npy: shape {array.shape}, should be {wanted}")
    return np.clip(array.astype(np.float64), -1e6, 1e6)


def strata(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """Skill by stratum."""
    return _by_stratum(_placed(artefacts, truth), truth)


def metrics(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """The mean over strata."""
    return {"skill": float(np.mean(list(strata(artefacts, data, truth).values())))}


def ceiling(data: Path, truth: Path) -> float:
    """What the true positions reach."""
    return float(
        np.mean(list(_by_stratum(np.stack([positions[:, [0, -1]] for positions, _, _ in _worlds(truth)]), truth).values()))
    )
