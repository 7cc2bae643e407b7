# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Ask the laboratory: a world that answers questions, each at a price, until the budget is used up.

    from lab import Lab, Refused

    lab = Lab()
    answer = lab.ask({"dose": 0.5})      # a dict; `Refused` says why there is none, which has its price as well
    answers = lab.ask_many(questions)    # in order; faster than one by one; a question that was refused has its `Refused` there
    lab.left                             # units of the budget that were left after the last answer

Where `REXBENCH_LABORATORY` names a socket, the world behind it answers. Elsewhere `laboratory.py` beside this file does, from
`data/` and `truth/`, by the same rules and with the same budget.
"""

import json
import os
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from opcode import opname
from operator import index
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

BUDGET = 9408
MAX_QUESTION = 256 * 1024
MAX_ANSWER = 1024 * 1024
MAX_DEPTH = 32
USED_UP = "The budget is used up."
HERE = Path(__file__).resolve().parent


class World(Protocol):
    """What `laboratory.py` calls `Laboratory`; it may have a method `cost` too."""

    def answer(self, question: dict[str, Any], /) -> dict[str, Any]: ...


class Refused(Exception):
    """The laboratory gives no answer; the text says why."""


class Meter:
    """The rules of asking, one line after the other. What is not a refusal is paid before the world is asked."""

    def __init__(self, world: World, budget: int) -> None:
        self._world, self.left = world, budget
        self._cost: Callable[[dict[str, Any]], int] = getattr(world, "cost", lambda question: 1)

    def reply(self, line: bytes) -> str:
        """One line of JSON for one line of JSON. Whatever this raises is a fault of the world's code, never of the question's."""
        if self.left < 1:
            return self._refuse(USED_UP, 0)
        try:
            question = read_question(line)
        except ValueError as error:
            return self._refuse(str(error), 1)
        try:
            cost = index(self._cost(question))
        except ValueError as error:
            return self._refuse(self._said(error), 1)
        if cost < 1:
            raise TypeError("a question costs at least 1")
        if cost > self.left:
            return self._refuse(f"The question costs {cost} and {self.left} is left.", 1)
        self.left -= cost
        try:
            answer = self._world.answer(question)
        except ValueError as error:
            return self._refuse(self._said(error), 0)
        text = _encode(answer)
        if not isinstance(answer, dict) or len(text) > MAX_ANSWER:
            raise TypeError(f"an answer is a dict of at most {MAX_ANSWER} bytes as JSON")
        return f'{{"answer": {text}, "left": {self.left}}}'

    def _refuse(self, why: str, cost: int) -> str:
        self.left -= cost
        return _encode({"error": why, "left": self.left})

    def _said(self, error: ValueError) -> str:
        """The words of a `raise` in the world's own code; those of a library that it calls may tell what the world hides."""
        trace = error.__traceback__
        while trace and trace.tb_next:
            trace = trace.tb_next
        frame = trace and trace.tb_frame
        own = frame and frame.f_globals.get("__name__") == type(self._world).__module__
        if own and frame and trace and opname[frame.f_code.co_code[trace.tb_lasti]] == "RAISE_VARARGS":
            return " ".join(str(error).split())[:200]
        return "The question makes no sense."


def read_question(line: bytes) -> dict[str, Any]:
    """The question that a line holds; raises `ValueError` with a sentence where it holds none."""
    if len(line) > MAX_QUESTION:
        raise ValueError(f"A question has at most {MAX_QUESTION} bytes.")
    try:
        question = _decode(line.decode())
    except (ValueError, RecursionError):
        raise ValueError("A question is one line of JSON, with finite numbers and integers of at most 64 bits.") from None
    if not isinstance(question, dict):
        raise ValueError("A question is a JSON object.")
    if line.count(b"[") + line.count(b"{") > MAX_DEPTH and _depth(question) > MAX_DEPTH:
        raise ValueError(f"A question is nested at most {MAX_DEPTH} deep.")
    return question


def _depth(question: dict[str, Any]) -> int:
    depth = 0
    level: list[Any] = [question]
    while level:
        inner = (part for value in level for part in (value.values() if isinstance(value, dict) else value))
        depth, level = depth + 1, [part for part in inner if isinstance(part, dict | list)]
    return depth


def _integer(text: str) -> int:
    if len(text) > 20 or not -(2**63) <= int(text) < 2**63:
        raise ValueError("more than 64 bits")
    return int(text)


def _number(text: str) -> float:
    if abs(float(text)) == float("inf"):
        raise ValueError("not finite")
    return float(text)


def _constant(text: str) -> float:
    raise ValueError(text)


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):  # numpy's arrays and numbers
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


_encode = json.JSONEncoder(allow_nan=False, default=_plain).encode
_encode_any = json.JSONEncoder(default=_plain).encode
_decode = json.JSONDecoder(parse_int=_integer, parse_float=_number, parse_constant=_constant).decode


class Lab:
    """The laboratory, however it is reached. Threads and forked processes may share one."""

    def __init__(self, data: Path = HERE / "data", truth: Path = HERE / "truth", budget: int = BUDGET) -> None:
        self.left = budget
        self._address = os.environ.get("REXBENCH_LABORATORY")
        self._meter = None if self._address else Meter(load_world(HERE / "laboratory.py", Path(data), Path(truth), budget), budget)
        self._lock, self._process = threading.Lock(), 0

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """The answer to one question."""
        answer = self.ask_many([question])[0]
        if isinstance(answer, Refused):
            raise answer
        return answer

    def ask_many(self, questions: Sequence[dict[str, Any]]) -> list[dict[str, Any] | Refused]:
        """The answers to all of them, sent some at a time so that nobody waits for one who waits for him."""
        lines = [_encode_any(question).encode() for question in questions]
        replies: list[dict[str, Any]] = []
        with self._lock:
            while len(replies) < len(lines):
                batch, room = [lines[len(replies)]], 65536
                for line in lines[len(replies) + 1 : len(replies) + 100]:
                    room -= len(line)
                    if room < 0:
                        break
                    batch.append(line)
                replies += [json.loads(reply) for reply in self._exchange(batch)]
                self.left = replies[-1]["left"]
        return [reply["answer"] if "answer" in reply else Refused(reply["error"]) for reply in replies]

    def _exchange(self, lines: list[bytes]) -> list[str] | list[bytes]:
        if self._meter:
            return [self._meter.reply(line) for line in lines]
        if self._process != os.getpid():  # a fork must not read the answers of its parent
            self._process, self._socket = os.getpid(), connect(str(self._address))
            self._answers = self._socket.makefile("rb")
        self._socket.sendall(b"".join(line[: MAX_QUESTION + 1] + b"\n" for line in lines))
        replies = [self._answers.readline() for _ in lines]
        if not replies[-1].endswith(b"\n"):
            raise ConnectionError("The laboratory has closed the connection.")
        return replies


def connect(address: str) -> socket.socket:
    """A connection to a unix socket, whose path may be longer than a socket's address can be."""
    connection = socket.socket(socket.AF_UNIX)
    folder = os.open(os.path.dirname(address), os.O_PATH) if len(address) > 100 else -1
    try:
        connection.connect(address if folder < 0 else f"/proc/self/fd/{folder}/{os.path.basename(address)}")
    finally:
        if folder >= 0:
            os.close(folder)
    return connection


def load_world(file: Path, data: Path, truth: Path, budget: int) -> World:
    """The world of a `laboratory.py`; importing it leaves nothing beside the file."""
    module = sys.modules["laboratory"] = ModuleType("laboratory")
    module.__file__ = str(file)
    exec(compile(file.read_bytes(), file, "exec"), module.__dict__)
    world: World = module.Laboratory(data, truth, budget)
    return world
