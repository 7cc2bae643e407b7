# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Recovery: how much of each true feature's activity one returned feature carries, on a logarithmic scale that ends at what noise allows."""

from pathlib import Path

import numpy as np

from rexbench.evaluation.reading import read_array, read_arrays, require

COLUMNS = 40
"""Most codes that may be returned for a world."""


def _worlds(truth: Path) -> list[dict[str, np.ndarray]]:
    return [read_arrays(path) for path in sorted(truth.glob("world_*.npz"))]


def _basis(codes: np.ndarray) -> np.ndarray:
    """Orthonormal columns that span the centred codes of one returned feature; directions of no size are left out."""
    centred = codes - codes.mean(0)
    size = np.linalg.norm(centred, axis=0)
    centred = centred[:, size > 1e-9] / size[size > 1e-9]
    if not centred.shape[1]:
        return centred
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    return left[:, values > 1e-6]


def assignment(value: np.ndarray) -> float:
    """The largest sum of values with at most one per row and column (shortest augmenting paths; no row may be left out if columns suffice)."""
    if value.shape[0] > value.shape[1]:
        value = value.T
    rows, columns = value.shape
    cost = -value
    over, under = np.zeros(rows + 1), np.zeros(columns + 1)
    owner, way = np.zeros(columns + 1, int), np.zeros(columns + 1, int)
    for row in range(1, rows + 1):
        owner[0], here = row, 0
        least, seen = np.full(columns + 1, np.inf), np.zeros(columns + 1, bool)
        while owner[here]:
            seen[here] = True
            reduced = cost[owner[here] - 1] - over[owner[here]] - under[1:]
            better = ~seen[1:] & (reduced < least[1:])
            least[1:][better], way[1:][better] = reduced[better], here
            following = int(np.argmin(np.where(seen[1:], np.inf, least[1:]))) + 1
            step = least[following]
            over[owner[seen]] += step
            under[seen] -= step
            least[~seen] -= step
            here = following
        while here:
            owner[here], here = owner[way[here]], way[here]
    return float(sum(value[owner[column] - 1, column - 1] for column in range(1, columns + 1) if owner[column]))


def recovery(codes: np.ndarray, groups: np.ndarray, world: dict[str, np.ndarray]) -> float:
    """Mean over true features of log(unexplained share) / log(floor) of the feature that is assigned to each, clipped to [0, 1]."""
    true = world["codes"].astype(np.float64)
    true = true - true.mean(0)
    owners = world["groups"]
    energy = np.array([(true[:, owners == k] ** 2).sum() for k in range(len(world["floor"]))])
    value = np.zeros((len(energy), len(np.unique(groups))))
    for at, group in enumerate(np.unique(groups)):
        explained = ((_basis(codes[:, groups == group]).T @ true) ** 2).sum(0)
        left = 1 - np.array([explained[owners == k].sum() for k in range(len(energy))]) / energy
        value[:, at] = np.clip(np.log(np.maximum(left, 1e-9)) / np.log(world["floor"]), 0, 1)
    return assignment(value) / len(energy)


def _returned(artefacts: Path, worlds: list[dict[str, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    codes = read_array(artefacts / "results" / "codes.npy", dtypes="f")
    groups = read_array(artefacts / "results" / "groups.npy", dtypes="iu")
    wanted = (len(worlds), len(worlds[0]["codes"]), COLUMNS)
    require(codes.shape == wanted, f"codes.npy: shape {codes.shape}, should be {wanted}")
    require(groups.shape == (wanted[0], COLUMNS), f"groups.npy: shape {groups.shape}, should be {(wanted[0], COLUMNS)}")
    codes = codes.astype(np.float64)
    require(bool(np.abs(codes).max() < 1e9), "codes.npy: a value is beyond 1e9")
    for number, row in enumerate(groups):
        require(
            np.unique(row, return_counts=True)[1].max() <= 2, f"groups.npy: world {number} has a feature of more than two codes"
        )
    return codes, groups


def _by_stratum(found: list[float], worlds: list[dict[str, np.ndarray]]) -> dict[str, float]:
    values: dict[int, list[float]] = {}
    for value, world in zip(found, worlds, strict=True):
        values.setdefault(int(world["stratum"]), []).append(value)
    return {f"group_{stratum:02d}": float(np.mean(values[stratum])) for stratum in sorted(values)}


def strata(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """Recovery by stratum."""
    worlds = _worlds(truth)
    codes, groups = _returned(artefacts, worlds)
    return _by_stratum([recovery(*parts) for parts in zip(codes, groups, worlds, strict=True)], worlds)


def metrics(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """The mean over strata."""
    return {"recovery": float(np.mean(list(strata(artefacts, data, truth).values())))}


def ceiling(data: Path, truth: Path) -> float:
    """Somebody who knows all but the magnitudes reaches every floor, by the floor's definition."""
    return 1.0
