"""What tests of the gateway share: requests of every wire, and gateways before an upstream, as processes and in this one."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from rexbench.gateway.exchange import Exchange, read_exchanges, settle_lost
from rexbench.gateway.serve import serving
from rexbench.gateway.settings import SOCKET, ForwardSettings, GatewaySettings
from tests.gateway.upstream import Upstream

KEY = "sk-real-0123456789abcdef"
MESSAGES, CHAT, RESPONSES = "/v1/messages", "/v1/chat/completions", "/v1/responses"
BODIES: dict[str, dict[str, Any]] = {
    MESSAGES: {"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": "hi"}]},
    CHAT: {"model": "m", "messages": [{"role": "user", "content": "hi"}]},
    RESPONSES: {"model": "m", "input": "hi", "store": False},
}


def settings_for(upstream: Upstream, **changes: Any) -> GatewaySettings:
    """A gateway's settings before this upstream, with little patience."""
    target = ForwardSettings(base_url=upstream.url, key=KEY, key_header=changes.pop("key_header", "x-api-key"))
    values: dict[str, Any] = {"models": ("m",), "priced_as": None, "retry_seconds": 3, "backoff_seconds": 0.05, "drain_seconds": 5}
    return GatewaySettings(provider=target, **(values | changes))


@dataclass
class Here:
    """A gateway in this process: a test may take one of its defences away."""

    folder: Path
    client: httpx.Client
    told: list[tuple[str, str]] = field(default_factory=list)
    _over: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        """Let it end what is under way; from here on everything is on record."""
        self._over.set()

    def exchanges(self) -> list[Exchange]:
        return list(read_exchanges(self.folder / "exchanges.jsonl"))

    def tokens(self) -> int:
        """All that is recorded."""
        return sum(one.usage.input + one.usage.output for one in self.exchanges() if one.usage)


@contextmanager
def gateway_here(settings: GatewaySettings, folder: Path) -> Iterator[Here]:
    """Serve in a thread; after the block everything that was under way is on record."""
    folder.mkdir(mode=0o700)
    client = httpx.Client(transport=httpx.HTTPTransport(uds=str(folder / SOCKET)), base_url="http://gateway", timeout=30)
    here = Here(folder, client)
    ready = threading.Event()

    async def serve() -> None:
        async with serving(settings, folder, folder / "exchanges.jsonl", lambda event, detail: here.told.append((event, detail))):
            ready.set()
            await asyncio.to_thread(here._over.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(30)
    try:
        with client:
            yield here
    finally:
        here.stop()
        thread.join()
        settle_lost(folder / "exchanges.jsonl")


def ask_and_hang_up(at: Path, path: str, content: bytes, after: bytes = b"") -> None:
    """Send a request on a bare socket and hang up, at once or when the answer has come as far as `after`."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(30)
        connection.connect(str(at))
        head = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: {len(content)}\r\nconnection: close\r\n\r\n"
        connection.sendall(head.encode() + content)
        seen = b""
        while after and after not in seen and (part := connection.recv(4096)):
            seen += part
