# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Records of a system as they come from the laboratory, one file per system."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class World:
    """What is known of one system."""

    name: str
    quantities: str
    """What the two channels show: `densities`, `motion` (position and velocity) or `concentrations`."""
    t: np.ndarray
    """(runs, samples): times of the samples, irregular, starting at 0."""
    x: np.ndarray
    """(runs, samples, 2): what the instrument showed; the first sample of a run is exact."""
    condition: np.ndarray
    """(runs,): the setting of the laboratory in each run, between -1 and 1."""
    new_start: np.ndarray
    """(new runs, 2): what the instrument shows, exactly, at time 0 of the runs that are to be forecast."""
    new_condition: np.ndarray
    """(new runs,): the setting in those runs."""
    new_t: np.ndarray
    """(times,): when the forecasts are wanted."""


def load_world(path: Path) -> World:
    """Read one system."""
    with np.load(path) as file:
        parts = {key: file[key] for key in file.files}
    return World(path.stem, str(parts.pop("quantities")), **parts)


def load_worlds(folder: Path) -> Iterator[World]:
    """All systems of a folder in the order of their names."""
    for path in sorted(folder.glob("world_*.npz")):
        yield load_world(path)
