"""A provider repeats our key in an error or an answer, and the network cuts it in two: no piece holds the key, both together do."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from rexbench.gateway.providers.forward import Forward
from tests.gateway.scene import BODIES, CHAT, KEY, gateway_here, settings_for
from tests.gateway.upstream import Upstream


@contextmanager
def indiscreet(status: int, cut: int) -> Iterator[Upstream]:
    """A provider that answers each request with the key, in chunks that part at `cut` and wherever it stands."""
    listening = socket.create_server(("127.0.0.1", 0))
    upstream = Upstream()
    upstream.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    body = b'{"error": {"message": "Incorrect key ' + KEY.encode() + b", twice: " + KEY.encode() + b'"}}'
    first = body.index(KEY.encode()) + cut

    def serve() -> None:
        while True:
            try:
                client, _ = listening.accept()
            except OSError:
                return
            with client:
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                client.recv(65536)
                head = f"HTTP/1.1 {status} X\r\nx-request-id: {KEY}\r\ntransfer-encoding: chunked\r\n"
                client.sendall(head.encode() + b"connection: close\r\n\r\n")
                for part in (body[:first], body[first : first + 3], body[first + 3 : -30], body[-30:]):
                    client.sendall(f"{len(part):x}\r\n".encode() + part + b"\r\n")
                client.sendall(b"0\r\n\r\n")

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield upstream
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()


@pytest.mark.parametrize("cut", [1, 10, len(KEY) - 1])
@pytest.mark.parametrize("status", [200, 400])
def test_no_piece_of_it_reaches_the_agent_or_the_record(status: int, cut: int, tmp_path: Path) -> None:
    with indiscreet(status, cut) as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        response = here.client.post(CHAT, json=BODIES[CHAT])
        assert "Incorrect key [key], twice: [key]" in response.text and KEY not in str(response.headers)
    assert KEY not in (here.folder / "exchanges.jsonl").read_text() + str(here.told)


def test_cleaned_piece_by_piece_it_comes_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def careless(self: Forward, response: httpx.Response):  # type: ignore[no-untyped-def]
        async for chunk in response.aiter_raw():
            yield self._clean(chunk)

    monkeypatch.setattr(Forward, "_chunks", careless)
    with indiscreet(400, 10) as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        assert KEY in here.client.post(CHAT, json=BODIES[CHAT]).text
