"""A small world to ask, its folder as a task's, and a client that says exactly what it is told to."""

import json
import socket
from pathlib import Path
from types import TracebackType
from typing import Any

from rexbench.laboratory.door import Laboratory
from rexbench.laboratory.lab import connect
from rexbench.laboratory.serve import Limits

WORLD = '''
import json
import random


class Laboratory:
    """Says whether a number lies above the hidden one, and draws noise that depends on all that was asked before."""

    def __init__(self, data, truth, budget):
        self.hidden = json.loads((truth / "hidden.json").read_text())
        self.noise = random.Random(self.hidden)
        self.asked = 0

    def cost(self, question):
        return question["times"] if isinstance(question.get("times"), int) and question["times"] > 0 else 1

    def answer(self, question):
        self.asked += 1
        if not isinstance(question.get("x"), int | float):
            raise ValueError("x is a number.")
        return {"above": question["x"] > self.hidden, "noise": self.noise.random(), "asked": self.asked}
'''
HIDDEN = 271828


def make_task(folder: Path, world: str = WORLD) -> Path:
    """A task's folder as far as a laboratory needs it, with `data` and `truth` inside."""
    for name in ("data", "truth"):
        (folder / name).mkdir(parents=True)
    (folder / "laboratory.py").write_text(world)
    (folder / "truth" / "hidden.json").write_text(json.dumps(HIDDEN))
    return folder


def open_laboratory(folder: Path, budget: int, world: str = WORLD, **limits: float) -> Laboratory:
    """The laboratory of such a task; its record is `folder/questions.jsonl`."""
    task = make_task(folder / "task", world)
    chosen = Limits(**limits)  # type: ignore[arg-type]
    return Laboratory(task, task / "data", task / "truth", budget, folder / "private", folder / "questions.jsonl", chosen)


class Client:
    """A connection; a context manager."""

    def __init__(self, at: Path) -> None:
        self.socket = connect(str(at))
        self.socket.settimeout(60)
        self._stream = self.socket.makefile("rb")

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stream.close()
        self.socket.close()

    def say(self, *lines: object) -> None:
        """Send lines: bytes as they are, anything else as JSON."""
        self.socket.sendall(b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines))

    def hear(self) -> dict[str, Any] | None:
        """The next reply; None where the connection is closed."""
        try:
            line = self._stream.readline()
        except ConnectionResetError:
            return None
        return json.loads(line) if line else None

    def ask(self, *lines: object) -> dict[str, Any] | None:
        """Send, and hear one reply."""
        self.say(*lines)
        return self.hear()

    def end(self) -> None:
        """Say that nothing more follows; the other direction stays open."""
        self.socket.shutdown(socket.SHUT_WR)
