# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Points, distances and travel times in the plane."""

import itertools

import numpy as np

from sound.worlds import SIDE, SOUND


def grid(step: float, side: float = SIDE) -> np.ndarray:
    """(points, 2): a square lattice over the field."""
    ticks = np.arange(0, side + step / 2, step)
    return np.array(list(itertools.product(ticks, ticks)))


def travel(points: np.ndarray, microphones: np.ndarray) -> np.ndarray:
    """(points, recorders): seconds that sound takes from each point to each recorder."""
    return np.sqrt(((points[:, None] - microphones) ** 2).sum(-1)) / SOUND


def pairs(count: int) -> list[tuple[int, int]]:
    """All pairs of recorders."""
    return list(itertools.combinations(range(count), 2))
