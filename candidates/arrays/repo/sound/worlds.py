# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Recordings of a deployment as they come from the field, one file per deployment."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

RATE = 1000.0
"""Samples per second."""
SIDE = 20.0
"""Calls come from the square between 0 and this, in metres, in both coordinates."""
SOUND = 343.0
"""Metres per second, at 20 degrees."""


@dataclass(frozen=True)
class World:
    """What is known of one deployment."""

    name: str
    audio: np.ndarray
    """(events, recorders, samples): what recorders wrote while a call was heard; all start at the same time of their own clocks."""
    microphones: np.ndarray
    """(recorders, 2): where each recorder stands according to the log, in metres."""
    times: np.ndarray
    """(events,): when in the session the event was, in seconds since the recorders were switched on."""
    temperatures: np.ndarray
    """(events,): degrees inside of the housings of the recorders, which stand in the sun alike."""
    calls: np.ndarray
    """(events,): how many animals called, one or two."""


def load_world(path: Path) -> World:
    """Read one deployment."""
    with np.load(path) as file:
        parts = {key: file[key] for key in file.files}
    return World(path.stem, parts["audio"].astype(np.float64), parts["microphones"], parts["times"], parts["temperatures"], parts["calls"])


def load_worlds(folder: Path) -> Iterator[World]:
    """All deployments of a folder in the order of their names."""
    for path in sorted(folder.glob("world_*.npz")):
        yield load_world(path)
