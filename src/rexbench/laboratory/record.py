"""What was asked of a laboratory and what it said, in the order in which the host took it; and asking it again.

A line is begun before the world is asked and ended before the answer is sent: a world that dies over a question leaves the question
behind, and no answer is out that is not recorded. Beyond the bound only digests are kept, `DIGEST_BYTES` for each question.
"""

import errno
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rexbench.laboratory.lab import Meter, World

DIGEST_BYTES = 160


@dataclass(frozen=True)
class Usage:
    """What a run asked, in sum."""

    asked: int
    """Lines that were taken, good or bad."""
    answered: int
    refused: int
    """Lines that got an error: malformed, nonsensical, too dear, or after the end."""
    spent: int
    """Units of the budget, for answers and refusals together."""
    left: int
    fault: str | None = None
    """Why the laboratory could not go on, in words that hold nothing of the world. Ours, never the run's."""


@dataclass(frozen=True)
class Entry:
    """One line that was asked."""

    order: int
    connection: int
    line: bytes | None
    """As it was sent; None beyond the bound."""
    cost: int | None
    """None where the laboratory ended over it; so are the two that follow."""
    answered: bool | None
    reply: dict[str, Any] | None
    """None beyond the bound as well."""
    digest: str | None = None
    """Of line and reply; beyond the bound only."""


class Record:
    """The file, being written; its owner alone may read it."""

    def __init__(self, file: Path, budget: int, bound: int) -> None:
        file.touch(mode=0o600)
        self._file = file.open("wb", buffering=0)
        self._room, self._order = bound, 0
        self._digested: bytes | None = None
        self._write(json.dumps({"budget": budget}) + "\n")

    def take(self, connection: int, line: bytes) -> None:
        """Before the world is asked."""
        self._order += 1
        self._digested = line if self._room < 0 else None
        kept = f', "line": {json.dumps(line.decode(errors="surrogateescape"))}' if self._digested is None else ""
        self._write(f'{{"order": {self._order}, "connection": {connection}{kept}')

    def give(self, cost: int, answered: bool, reply: str) -> None:
        """Before the answer is sent."""
        kept = f'"reply": {reply}' if self._digested is None else f'"digest": "{digest(self._digested, reply)}"'
        self._write(f', "cost": {cost}, "answered": {json.dumps(answered)}, {kept}}}\n')

    def _write(self, text: str) -> None:
        content = text.encode()
        if self._file.write(content) != len(content):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._room -= len(content)


def digest(line: bytes, reply: str) -> str:
    """Stands for a question and its answer."""
    return hashlib.sha256(line + b"\n" + reply.encode()).hexdigest()[:32]


def read_record(file: Path) -> Iterator[Entry]:
    """The entries in the order in which they were taken, that of a question over which the laboratory ended included."""
    with file.open(encoding="utf-8") as lines:
        next(lines, None)
        for text in lines:
            try:
                told = json.loads(text if text.endswith("\n") else text + "}")
            except ValueError:  # cut short by a full disk
                return
            line = told.get("line")
            sent = None if line is None else line.encode(errors="surrogateescape")
            rest = (told.get(name) for name in ("cost", "answered", "reply", "digest"))
            yield Entry(told["order"], told["connection"], sent, *rest)


def budget_of(file: Path) -> int:
    """The budget that the record began with."""
    with file.open(encoding="utf-8") as lines:
        return int(json.loads(next(lines))["budget"])


def summarise(file: Path, fault: str) -> Usage:
    """The sum of a record whose laboratory ended without a word. What it ended over is asked, and neither answered nor refused."""
    entries = list(read_record(file))
    answered, refused = (sum(entry.answered is kind for entry in entries) for kind in (True, False))
    spent = sum(entry.cost or 0 for entry in entries)
    return Usage(len(entries), answered, refused, spent, budget_of(file) - spent, fault)


def replay(file: Path, world: World) -> list[Entry]:
    """What a fresh world says to the same lines in the same order; of the same data and truth, it is what `read_record` gives.

    It ends where the record keeps digests only.
    """
    meter, entries = Meter(world, budget_of(file)), []
    for entry in read_record(file):
        if entry.line is None:
            break
        left = meter.left
        reply = json.loads(meter.reply(entry.line))
        entries.append(Entry(entry.order, entry.connection, entry.line, left - meter.left, "answer" in reply, reply))
    return entries
