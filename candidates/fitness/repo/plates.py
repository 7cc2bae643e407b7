# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The laboratory as a bench scientist meets it: plates of wells go in, readings come back.

    lab = connect()
    readings = lab.assay("w03", [Well(wild_type), Well(variant, dilution=4), Well(None)], heat=2.0, acid=1.0)

`lab.py` carries the questions; see there for where the laboratory is.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from lab import Lab as Door
from lab import Refused

__all__ = ["ROOT", "Lab", "Refused", "Well", "connect"]
ROOT = Path(__file__).parent


@dataclass(frozen=True)
class Well:
    sequence: str | None
    """None is a blank."""
    dilution: float = 1.0


class Lab:
    """Sends plates and keeps count of the wells that are left, over all proteins."""

    def __init__(self, door: Door, plates: int) -> None:
        self.door = door
        self.plate_size = door.left // plates
        """Wells that a plate may list."""

    @property
    def left(self) -> int:
        return self.door.left

    def assay(self, world: str, wells: Sequence[Well], heat: float = 0.0, acid: float = 0.0) -> np.ndarray:
        """Readings of all places of one plate, in the reader's order. Wells are dispensed row by row. Uses up one of the protein's rounds."""
        listed = [{"sequence": well.sequence, "dilution": float(well.dilution)} for well in wells]
        answer = self.door.ask({"world": world, "heat": float(heat), "acid": float(acid), "wells": listed})
        return np.array(answer["readings"], dtype=float)


def connect(data: Path = ROOT / "data", truth: Path = ROOT / "truth") -> Lab:
    described = json.loads((data / "worlds.json").read_text())
    return Lab(Door(data, truth), described["rounds"] * len(described["worlds"]))
