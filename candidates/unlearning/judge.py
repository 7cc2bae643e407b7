# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The mean squared error of the recovered signals, by stratum and over all; the ceiling is what averaging away the noise allows."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rexbench.evaluation.reading import as_number, read_table, require

LARGEST = 1e6
"""No recovered value counts as further off than this, so that one absurd number says no more than that."""


def metrics(artefacts: Path, data: Path, truth: Path) -> dict[str, int | float | str]:
    """The error over all signals."""
    return {"error": float(np.mean(list(_errors(artefacts, truth).values())))}


def strata(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """The error in each stratum."""
    errors = _errors(artefacts, truth)
    names = sorted({name.rpartition("-")[0] for name in errors})
    return {stratum: float(np.mean([error for name, error in errors.items() if name.startswith(stratum)])) for stratum in names}


def ceiling(data: Path, truth: Path) -> float:
    """Nine numbers describe a signal of 512 positions, so noise of variance 0.36 leaves about this much."""
    return 0.36 * 9 / 512


def _errors(artefacts: Path, truth: Path) -> dict[str, float]:
    wanted = _columns(truth / "signals.csv", [])
    found = _columns(artefacts / "results" / "signals.csv", list(wanted))
    for name in wanted:
        require(
            len(found[name]) == len(wanted[name]),
            f"signals.csv: {name} has {len(found[name])} rows, {len(wanted[name])} are asked for",
        )
    return {name: float(np.mean(np.clip(found[name] - wanted[name], -LARGEST, LARGEST) ** 2)) for name in wanted}


def _columns(path: Path, names: list[str]) -> dict[str, NDArray[np.float64]]:
    rows = read_table(path, names)
    require(bool(rows), f"{path.name}: empty")
    chosen = names or list(rows[0])
    return {name: np.array([as_number(row[name], f"{name} in {path.name}", -LARGEST, LARGEST) for row in rows]) for name in chosen}
