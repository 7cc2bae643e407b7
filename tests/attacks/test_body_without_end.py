"""The agent sends a request's body without end, or says that it will be large, or sends it a byte at a time.

A body was once read whole before its size was looked at: 1.8 GB of memory in 24 seconds.
"""

import json
import select
import socket
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from rexbench.gateway.bodies import Bodies
from rexbench.gateway.settings import SOCKET
from tests.gateway.scene import CHAT, gateway_here, settings_for
from tests.gateway.upstream import provider

LIMIT = 1_000_000


def pour(at: Path, chunks: int) -> tuple[int, bytes]:
    """Send a body in chunks of 100 kB for as long as it is taken; gives how many were, and the answer."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(30)
        connection.connect(str(at))
        connection.sendall(f"POST {CHAT} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n".encode())
        for sent in range(chunks):
            try:
                connection.sendall(b"186a0\r\n" + b" " * 100_000 + b"\r\n")
            except OSError:
                return sent, b""
        connection.sendall(b"0\r\n\r\n")
        return chunks, connection.recv(4096)


def say(at: Path, announced: int, content: bytes, held: ExitStack | None = None, patience: float = 1.0) -> bytes:
    """Announce a body, send some of it, and wait a moment for an answer; the connection is left open in `held`."""
    with ExitStack() as own:
        connection = (held or own).enter_context(socket.socket(socket.AF_UNIX))
        connection.settimeout(patience)
        connection.connect(str(at))
        with suppress(OSError):
            connection.sendall(f"POST {CHAT} HTTP/1.1\r\nhost: x\r\ncontent-length: {announced}\r\n\r\n".encode() + content)
        try:
            return connection.recv(4096)
        except TimeoutError:
            return b""


def test_a_careless_gateway_takes_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bodies, "_too_long", lambda self: pytest.fail("not reached"))
    with provider() as upstream, gateway_here(settings_for(upstream, body_bytes=10**9), tmp_path / "g") as here:
        sent, answer = pour(here.folder / SOCKET, 100)
    assert sent == 100 and b"400" in answer, "it looks at ten megabytes once they are all here"


def test_a_body_is_refused_as_soon_as_it_is_too_long(tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream, body_bytes=LIMIT), tmp_path / "g") as here:
        sent, _ = pour(here.folder / SOCKET, 10_000)
        assert sent < 100, "the connection is closed long before a gigabyte"
        assert b"413" in say(here.folder / SOCKET, 10**12, b"x"), "what is announced need not be waited for"
        assert here.client.post(CHAT, content=b" " * (LIMIT + 1)).status_code == 413
    assert (here.folder / "exchanges.jsonl").stat().st_size < 10_000


def test_bodies_of_many_requests_are_bounded_together(tmp_path: Path) -> None:
    with (
        provider() as upstream,
        gateway_here(settings_for(upstream, body_bytes=LIMIT), tmp_path / "g") as here,
        ExitStack() as held,
    ):
        poured = [held.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(6)]
        for connection in poured:
            connection.connect(str(here.folder / SOCKET))
            with suppress(OSError):
                head = f"POST {CHAT} HTTP/1.1\r\nhost: x\r\ncontent-length: {LIMIT}\r\n\r\n".encode()
                connection.sendall(head + b" " * (LIMIT - 1))
        refused, _, _ = select.select(poured, [], [], 60)
        assert b"429" in refused[0].recv(4096), "each waits for its last byte, and together they are too many"


def test_a_body_that_is_slow_in_coming_is_given_up(tmp_path: Path) -> None:
    with (
        provider() as upstream,
        gateway_here(settings_for(upstream, body_seconds=0.3), tmp_path / "g") as here,
        ExitStack() as held,
    ):
        assert b"408" in say(here.folder / SOCKET, 100, b"{", held, patience=30)
    assert [one.status for one in here.exchanges()] == [408]


def test_a_short_body_of_many_values_is_refused_unread(tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        bomb = json.dumps({"model": "m", "messages": []}).encode()[:-1] + b', "x": [' + b"{}," * 1_000_000 + b"{}]}"
        refused = here.client.post(CHAT, content=bomb)
        assert refused.status_code == 400 and "more than 500000 values" in refused.text
