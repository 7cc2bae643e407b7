# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds as they are stored, one file each: a table, a record of real trainings on subsets of it, and subsets that are asked about."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class World:
    """What is known of one pipeline."""

    name: str
    numbers: np.ndarray
    """(rows, 5): columns of numbers, NaN where missing. Rows are those that can be learnt from, in the order in which they are stored, then the test rows."""
    flags: np.ndarray
    """(rows, 2): columns of zeros and ones."""
    level: np.ndarray
    """(rows,): the level of a category, 0 to 3."""
    label: np.ndarray
    """(rows,): 1 or -1."""
    subsets: np.ndarray
    """(records, training rows): whether a recorded training had the row."""
    margins: np.ndarray
    """(records, test rows): label times score of the test rows after that training, with an error of measurement."""
    noise: float
    """Standard deviation of that error; errors are normal and independent."""
    asked: np.ndarray
    """(asked, training rows): subsets whose margins are wanted. Four kinds, one after the other, equally many of each: like the
    recorded ones; small; nearly all rows, without a group or a level of the category; with hardly any rows of one label."""

    @property
    def train(self) -> int:
        """How many rows can be learnt from."""
        return self.subsets.shape[1]


def load_world(path: Path) -> World:
    """Read one world."""
    with np.load(path) as file:
        stored = {name: file[name] for name in file.files}
    floats = {name: stored[name].astype(float) for name in ("numbers", "flags", "label", "margins")}
    return World(
        path.stem,
        level=stored["level"].astype(int),
        subsets=stored["subsets"],
        asked=stored["asked"],
        noise=float(stored["noise"]),
        **floats,
    )


def load_worlds(folder: Path) -> Iterator[World]:
    """All worlds of a folder in the order of their names."""
    for path in sorted(folder.glob("world_*.npz")):
        yield load_world(path)
