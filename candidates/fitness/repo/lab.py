# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The way to the laboratory.

Where the environment names a socket in REXBENCH_LABORATORY, plates go there, one JSON object per line; else the laboratory of the public worlds runs in this
process, made from data/ and truth/. Both are metered alike.

    lab = connect()
    readings = lab.assay("w03", [Well(wild_type), Well(variant, dilution=4), Well(None)], heat=2.0)
"""

import json
import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

ROOT = Path(__file__).parent


class Refused(ValueError):
    """The laboratory did not run the plate; its wells are paid for all the same."""


@dataclass(frozen=True)
class Well:
    sequence: str | None
    """None is a blank."""
    dilution: float = 1.0


class Door(Protocol):
    def ask(self, question: dict) -> dict: ...


class SocketDoor:
    """A laboratory behind a unix socket."""

    def __init__(self, path: str) -> None:
        self.connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.connection.connect(path)
        self.lines = self.connection.makefile("rw", encoding="utf-8", newline="\n")

    def ask(self, question: dict) -> dict:
        self.lines.write(json.dumps(question) + "\n")
        self.lines.flush()
        reply = self.lines.readline()
        if not reply:
            raise ConnectionError("the laboratory closed its door")
        return json.loads(reply)


class LocalDoor:
    """The laboratory of the public worlds, in this process."""

    def __init__(self, data: Path, truth: Path) -> None:
        from laboratory import Laboratory

        described = json.loads((data / "worlds.json").read_text())
        self.left = described["rounds"] * described["wells"] * len(described["worlds"])
        self.laboratory = Laboratory(data, truth, self.left)

    def ask(self, question: dict) -> dict:
        cost = self.laboratory.cost(question)
        if cost > self.left:
            return {"error": f"The plate costs {cost} wells and {self.left} are left.", "left": self.left}
        self.left -= cost
        try:
            return {"answer": self.laboratory.answer(question), "left": self.left}
        except ValueError as error:
            return {"error": str(error), "left": self.left}


class Lab:
    """Sends plates and keeps count of the wells that are left, over all proteins."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self.left: int | None = None

    def assay(self, world: str, wells: Sequence[Well], heat: float = 0.0) -> np.ndarray:
        """Readings of one plate, well by well; wells fill the plate row by row. Uses up one of the protein's rounds."""
        listed = [{"sequence": well.sequence, "dilution": float(well.dilution)} for well in wells]
        reply = self.door.ask({"world": world, "heat": float(heat), "wells": listed})
        self.left = reply.get("left")
        if "error" in reply:
            raise Refused(reply["error"])
        return np.array(reply["answer"]["readings"], dtype=float)


def connect(data: Path = ROOT / "data", truth: Path = ROOT / "truth") -> Lab:
    path = os.environ.get("REXBENCH_LABORATORY")
    return Lab(SocketDoor(path) if path else LocalDoor(data, truth))
