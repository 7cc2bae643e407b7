"""Clients that mean harm, drawn at random. The rude ones ask only what makes sense; the wasteful ones pay for what does not."""

import random
import socket
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from tests.laboratory.scene import Client

GOOD = b'{"x": 1}\n'
NONSENSE = (
    *(b"\n", b"{}\n", b"[]\n", b"null\n", b'"x"\n', b"{'x': 1}\n", b'{"x": NaN}\n', b'{"x": 1e999}\n', b'{"x": -Infinity}\n'),
    *(b'{"x": ' + b"9" * 5000 + b"}\n", b'{"x": ' + b"[" * 5000 + b"]" * 5000 + b"}\n", b'{"x": ' * 40 + b"1" + b"}" * 40 + b"\n"),
    *(b'{"x": "\\ud800"}\n', b'{"x": 1}{"x": 1}\n', b"\xff\xfe\x00\n", b'{"x": 1, "times": 1000000000}\n', b'{"\xc3\x28": 1}\n'),
)


def ask_politely(client: Client, chance: random.Random) -> None:
    for _ in range(chance.randrange(1, 20)):
        client.ask(GOOD)


def pipeline(client: Client, chance: random.Random) -> None:
    count = chance.randrange(1, 300)
    client.say(GOOD * count)
    for _ in range(count):
        if client.hear() is None:
            return


def hang_up_before_the_answer(client: Client, chance: random.Random) -> None:
    client.say(GOOD * chance.randrange(1, 20))


def end_and_listen(client: Client, chance: random.Random) -> None:
    client.say(GOOD * chance.randrange(1, 20) + GOOD.strip())
    client.end()
    while client.hear():
        pass


def spell_byte_by_byte(client: Client, chance: random.Random) -> None:
    for at in range(len(GOOD)):
        client.say(GOOD[at : at + 1])
    client.hear()


def never_read(client: Client, chance: random.Random) -> None:
    client.socket.settimeout(0.2)
    while True:  # line by line, so that what is cut off at the end is no half line
        client.socket.send(GOOD)


def send_half_a_line(client: Client, chance: random.Random) -> None:
    client.say(GOOD[: chance.randrange(1, 8)])


def send_a_line_without_end(client: Client, chance: random.Random) -> None:
    while True:
        client.say(b"x" * 65536)


def send_garbage(client: Client, chance: random.Random) -> None:
    client.say(chance.randbytes(chance.randrange(1, 5000)))


def send_nonsense(client: Client, chance: random.Random) -> None:
    for line in chance.choices(NONSENSE, k=10):
        client.ask(line)


def send_a_descriptor(client: Client, chance: random.Random) -> None:
    socket.send_fds(client.socket, [GOOD], [client.socket.fileno()])
    client.hear()


Behaviour = Callable[[Client, random.Random], None]
RUDE: tuple[Behaviour, ...] = (
    *(ask_politely, pipeline, hang_up_before_the_answer, end_and_listen, spell_byte_by_byte, never_read, send_a_descriptor),
)
WASTEFUL: tuple[Behaviour, ...] = (*RUDE, send_half_a_line, send_a_line_without_end, send_garbage, send_nonsense)


def attack(at: Path, clients: int, behaviours: tuple[Behaviour, ...], seed: int = 0, at_once: int = 16) -> None:
    """Let this many clients loose, each of which does some of this, many of them at the same time."""

    def one(number: int) -> None:
        chance = random.Random(f"{seed}-{number}")
        for behave in chance.choices(behaviours, k=chance.randrange(1, 4)):
            with suppress(OSError), Client(at) as client:
                behave(client, chance)

    with ThreadPoolExecutor(at_once) as pool:
        finished: Iterable[None] = pool.map(one, range(clients))
        for _ in finished:
            pass
