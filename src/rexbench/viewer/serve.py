"""The viewer as a server on loopback, for as long as somebody looks."""

import hashlib
import hmac
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from rexbench.errors import RexbenchError
from rexbench.viewer.app import Viewer
from rexbench.viewer.guard import Guard
from rexbench.viewer.listing import Listing

PORT = 7391
LOOPBACK = "127.0.0.1"
_START_SECONDS = 20.0


@dataclass(frozen=True)
class Serving:
    """A viewer that is up."""

    address: str
    """Of its first page, without the token."""
    token: str

    @property
    def entrance(self) -> str:
        """What lets a browser in."""
        return f"{self.address}?token={self.token}"


def token_of(secret: bytes) -> str:
    """The same for the same home, so that a browser that was let in once finds its links again after a restart."""
    return hmac.new(secret, b"viewer", hashlib.sha256).hexdigest()[:32]


def list_campaigns(folders: Sequence[Path]) -> list[Listing]:
    """The campaigns in these folders; those of the same name are numbered."""
    names = [folder.absolute().name for folder in folders]
    told_apart = [f"{name}-{names[:at].count(name) + 1}" if names.count(name) > 1 else name for at, name in enumerate(names)]
    return [Listing(name, folder) for name, folder in zip(told_apart, folders, strict=True)]


@contextmanager
def serving(listings: Sequence[Listing], token: str, port: int | None = None) -> Iterator[Serving]:
    """Serve until the context ends; without a port, on the usual one, or on any that is free where that is taken."""
    listening = listen_on((PORT, 0) if port is None else (port,))
    number = listening.getsockname()[1]
    guarded = Guard(Viewer(listings).app, token, number)
    for listing in listings:  # read while the browser starts
        threading.Thread(target=listing.look, daemon=True).start()
    with running(uvicorn.Config(guarded, log_level="critical", access_log=False, lifespan="off", ws="none"), listening):
        yield Serving(f"http://{LOOPBACK}:{number}/", token)


def listen_on(ports: Sequence[int]) -> socket.socket:
    """On loopback, at the first of these ports that is free; 0 is any."""
    for port in ports:
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((LOOPBACK, port))
            return listening
        except OSError:
            listening.close()
    raise RexbenchError(f"Port {ports[0]} is taken; name another with --port.")


@contextmanager
def running(config: uvicorn.Config, listening: socket.socket) -> Iterator[None]:
    """A server that answers from the moment on at which the context begins, and is gone when it ends."""
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + _START_SECONDS
    while not server.started and thread.is_alive() and time.monotonic() < deadline:
        time.sleep(0.005)
    try:
        yield
    finally:
        server.should_exit = server.force_exit = True
        thread.join()
