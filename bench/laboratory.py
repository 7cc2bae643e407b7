"""The laboratory: questions a second over its socket, beside a bare echo; and hostile clients against a budget.

    python bench/laboratory.py [--questions 20000] [--clients 1000] [--json FILE]

The bar: 10,000 questions a second, and a budget of n answers n questions and never n + 1, whoever asks.
"""

import argparse
import json
import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from rexbench.laboratory.door import VARIABLE, Laboratory
from rexbench.laboratory.lab import Lab
from rexbench.laboratory.record import Usage, read_record
from tests.laboratory.hostile import RUDE, WASTEFUL, Behaviour, attack
from tests.laboratory.scene import Client, open_laboratory

QUESTION = {"x": 314159}
LINE = json.dumps(QUESTION).encode() + b"\n"
AT_ONCE = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=20_000)
    parser.add_argument("--clients", type=int, default=1000)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    figures: dict[str, Any] = {"load": os.getloadavg()[0], "cores": os.cpu_count()}
    with tempfile.TemporaryDirectory() as folder:
        figures["speed"] = speed(Path(folder), given.questions)
        for name, behaviours, budget in (("rude", RUDE, 100_000), ("wasteful", WASTEFUL, 5_000)):
            figures[name] = hostility(Path(folder, name), given.clients, behaviours, budget)
    print(json.dumps(figures, indent=2))
    if given.json:
        given.json.write_text(json.dumps(figures))


def speed(folder: Path, questions: int) -> dict[str, int]:
    """Questions a second, by how they are asked."""
    with echo() as bare:
        figures = {"bare echo, one at a time": rate(lambda: swap(bare, LINE), questions)}
    with open_laboratory(folder, 10 * questions) as laboratory:
        with Client(laboratory.socket) as client:
            figures["one at a time"] = rate(lambda: swap(client.socket, LINE), questions)
        os.environ[VARIABLE] = str(laboratory.socket)
        lab = Lab(budget=10 * questions)
        figures["one at a time, by lab.py"] = rate(lambda: lab.ask(QUESTION), questions)
        figures["pipelined, by lab.py"] = AT_ONCE * rate(lambda: lab.ask_many([QUESTION] * AT_ONCE), questions // AT_ONCE)
        figures["a new connection each"] = rate(lambda: once(laboratory), questions // 10)
    return figures


def rate(work: Callable[[], object], times: int) -> int:
    since = time.perf_counter()
    for _ in range(times):
        work()
    return round(times / (time.perf_counter() - since))


def swap(line: socket.socket, question: bytes) -> bytes:
    line.sendall(question)
    return line.recv(65536)


def once(laboratory: Laboratory) -> None:
    with Client(laboratory.socket) as client:
        client.ask(LINE)


@contextmanager
def echo() -> Iterator[socket.socket]:
    """A process that sends back what it gets."""
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        ours.close()
        while data := theirs.recv(65536):
            theirs.sendall(data)
        os._exit(0)
    theirs.close()
    with ours:
        yield ours
    os.waitpid(child, 0)


def hostility(folder: Path, clients: int, behaviours: tuple[Behaviour, ...], budget: int) -> dict[str, Any]:
    """What hostile clients, and then one who asks for the rest, got out of a budget."""
    with open_laboratory(folder, budget, record_bytes=2**30) as laboratory:
        attack(laboratory.socket, clients, behaviours)
        with suppress(OSError), Client(laboratory.socket) as honest:
            while (reply := honest.ask(LINE)) and reply["left"]:
                pass
    usage: Usage = laboratory.usage
    world_asked = max(
        entry.reply["answer"]["asked"] for entry in read_record(folder / "questions.jsonl") if entry.reply and entry.answered
    )
    assert usage.fault is None, usage.fault
    assert usage.spent == budget and usage.left == 0 and usage.answered <= budget
    assert behaviours is not RUDE or usage.answered == budget == world_asked
    return {"clients": clients, "budget": budget, **vars(usage), "most the world counted": world_asked}


if __name__ == "__main__":
    main()
