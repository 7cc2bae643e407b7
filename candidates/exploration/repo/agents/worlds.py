# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds as the data folder describes them."""

import json
from dataclasses import dataclass
from pathlib import Path

NOTHING, SHUT = 0, 1
"""Observations that are no place: nothing was seen; a door was shut and one stays where one was."""


@dataclass(frozen=True)
class World:
    name: str
    observations: int
    """Observations are numbered from 0 to this less one; those from 2 on are places."""
    actions: int
    tasks: int
    """How many different rewards there are."""
    horizon: int
    """An episode is over after this many actions at the latest."""
    discount: float
    steps: int
    """What the laboratory gives for learning."""


def load_worlds(data: Path) -> list[World]:
    described = json.loads((data / "worlds.json").read_text())["worlds"]
    fields = ("id", "observations", "actions", "tasks", "horizon", "discount", "steps")
    return [World(*(world[field] for field in fields)) for world in described]
