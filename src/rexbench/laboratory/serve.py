"""The laboratory as a process: what to serve on standard input, `ready` and the usage on standard output, questions on a socket.

The next question is taken when the answer to the one before is due (`delay`): no connection tells how long another's took. It ends
when its standard input does, and with the process that started it. A fault of the world's code ends it at once.
"""

import json
import os
import resource
import signal
import socket
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from rexbench.laboratory.desk import Desk
from rexbench.laboratory.lab import MAX_QUESTION, Meter, load_world
from rexbench.laboratory.record import Record, Usage
from rexbench.stopping import end_with_parent

PACE = 30e-6
"""Seconds after which an answer is sent at the soonest, unless the world's `pace` says more."""
MAX_PACE = 1.0
SPIN = 200e-6
"""Seconds before an answer is due that are not slept: the kernel wakes too late."""
LATE_PACE = 200e-6
"""The same for questions after the end of the budget: who goes on asking shall keep nobody busy."""
LATE_KEPT = 1000
"""Of which the record keeps so many."""
FAILED = "The laboratory failed."


def delay(seconds: float, pace: float) -> float:
    """When an answer that took so long is due: after the pace, or twice, four times ... that."""
    due = pace
    while due < seconds:
        due *= 2
    return due


@dataclass(frozen=True)
class Limits:
    """What the laboratory's process may use. One that passes a limit is ended, which is a fault of ours."""

    memory: int = 8 * 2**30
    question_seconds: float = 10
    """CPU time of one question."""
    cpu_seconds: int = 3600
    """CPU time of all together, that of listening to whoever connects without end included."""
    record_bytes: int = 16 * 2**20
    """Beyond which the record keeps digests only."""


@dataclass(frozen=True)
class Settings:
    """What to serve; the keeper says it as JSON."""

    file: str
    """The task's `laboratory.py`."""
    data: str
    truth: str
    record: str
    budget: int
    listening: int
    """The socket, open already."""
    parent: int
    """The keeper's process."""
    limits: Limits


class Served:
    """One world, asked over one socket."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        world = load_world(Path(settings.file), Path(settings.data), Path(settings.truth), settings.budget)
        self._pace = min(max(float(getattr(world, "pace", PACE)), PACE), MAX_PACE)
        self._meter = Meter(world, settings.budget)
        self._record = Record(Path(settings.record), settings.budget, settings.limits.record_bytes)
        self._desk = Desk(socket.socket(fileno=settings.listening), 0, self._reply, MAX_QUESTION)
        self._asked = self._answered = self._late = 0
        self._fault: str | None = None

    def run(self) -> Usage:
        """Until the run is over, or the world's code fails."""
        self._desk.run()
        left = self._meter.left
        refused = self._asked - self._answered - (self._fault is not None)
        return Usage(self._asked, self._answered, refused, self._settings.budget - left, left, self._fault)

    def _reply(self, connection: int, line: bytes) -> bytes:
        began, left = time.perf_counter(), self._meter.left
        self._asked += 1
        self._late += left < 1
        try:
            reply = self._ask(connection, line) if self._late <= LATE_KEPT else self._meter.reply(line)
        except BaseException as error:  # whatever the world's code raises
            self._fault = f"{described(error, self._settings.file)}, over question {self._asked}"
            self._desk.over = True
            reply = json.dumps({"error": FAILED, "left": self._meter.left})
        due = began + delay(time.perf_counter() - began, LATE_PACE if left < 1 else self._pace)
        while (rest := due - time.perf_counter()) > 0:
            if rest > SPIN:
                time.sleep(rest - SPIN)
        return reply.encode() + b"\n"

    def _ask(self, connection: int, line: bytes) -> str:
        left = self._meter.left
        self._record.take(connection, line)
        signal.setitimer(signal.ITIMER_PROF, self._settings.limits.question_seconds)
        reply = self._meter.reply(line)
        signal.setitimer(signal.ITIMER_PROF, 0)
        answered = reply.startswith('{"answer"')
        self._record.give(left - self._meter.left, answered, reply)
        self._answered += answered
        return reply


def described(error: BaseException, file: str) -> str:
    """What was raised and where. The words of what the world's code raised stay out: they may hold something of the world."""
    line, trace = None, error.__traceback__
    while trace:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == file else line
        trace = trace.tb_next
    name = type(error).__name__
    return f"laboratory.py raised {name} in line {line}" if line else f"the laboratory failed with {name}: {error}"


def main() -> None:
    """Serve until standard input ends."""
    told_of = json.loads(sys.stdin.readline())
    settings = Settings(**told_of | {"limits": Limits(**told_of["limits"])})
    end_with_parent(settings.parent)
    told, silence = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):  # what the world's code prints is for nobody
        os.dup2(silence, stream)
    limits = settings.limits
    for limit, bound in {
        resource.RLIMIT_AS: limits.memory,
        resource.RLIMIT_CPU: limits.cpu_seconds,
        resource.RLIMIT_CORE: 0,
    }.items():
        resource.setrlimit(limit, (bound, bound + 1))  # at its own limit a process gets a signal that says which one it was
    try:
        served = Served(settings)
    except BaseException as error:  # whatever the world's code raises
        _tell(told, {"fault": described(error, settings.file)})
        return
    _tell(told, {"ready": True})
    _tell(told, asdict(served.run()))


def _tell(to: int, what: dict[str, object]) -> None:
    with suppress(BrokenPipeError):
        os.write(to, json.dumps(what).encode() + b"\n")


if __name__ == "__main__":
    main()
