# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds as the data folder describes them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

DOSES = (-2, -1, 1, 2)


@dataclass(frozen=True)
class World:
    """Eight variables that act on each other, and what is to be foretold about them."""

    name: str
    archive: np.ndarray
    """(units, variables): readings of units that nobody had treated, kept from earlier."""
    set_levels: np.ndarray
    """(variables, 4): the level at which each dose in `DOSES` is to hold a variable."""
    push_levels: np.ndarray
    """(variables, 4): what each dose is to add to a variable that otherwise follows its causes."""
    query_set: np.ndarray
    """(queries, variables): levels at which variables are held; NaN where they are free."""
    query_push: np.ndarray
    """(queries, variables): what is added to variables; 0 where nothing is."""


def load_worlds(data: Path) -> list[World]:
    """All worlds, in the order of their file names."""
    found = []
    for path in sorted(data.glob("world_*.npz")):
        with np.load(path, allow_pickle=False) as stored:
            found.append(World(path.stem, **{name: stored[name] for name in stored.files}))
    return found
