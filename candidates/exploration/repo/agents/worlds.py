# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds as the data folder describes them."""

import json
from dataclasses import dataclass
from pathlib import Path

BLANK = 0
"""The observation that is made when nothing can be seen."""


@dataclass(frozen=True)
class World:
    name: str
    observations: int
    """Observations are numbered from 0 (nothing seen) to this less one."""
    actions: int
    horizon: int
    """An episode is over after this many actions at the latest."""
    discount: float
    steps: int
    """What the laboratory gives for learning."""


def load_worlds(data: Path) -> list[World]:
    described = json.loads((data / "worlds.json").read_text())["worlds"]
    return [
        World(world["id"], world["observations"], world["actions"], world["horizon"], world["discount"], world["steps"])
        for world in described
    ]
