# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Activations as they are read from models, one file per model."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class World:
    """What is known of one model."""

    name: str
    x: np.ndarray
    """(tokens, channels): readings at one place of the model."""
    sequence: np.ndarray
    """(tokens,): the text that a token is from."""
    position: np.ndarray
    """(tokens,): its place in that text, from 0."""


def load_world(path: Path) -> World:
    """Read one model's activations."""
    with np.load(path) as file:
        return World(path.stem, file["x"].astype(np.float64), file["sequence"].astype(int), file["position"].astype(int))


def load_worlds(folder: Path) -> Iterator[World]:
    """All models of a folder in the order of their names."""
    for path in sorted(folder.glob("world_*.npz")):
        yield load_world(path)
