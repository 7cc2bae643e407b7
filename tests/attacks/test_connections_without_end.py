"""The agent opens connections and says nothing, until the gateway has no descriptor left to reach the provider with.

That looks like an outage of the provider, which is a fault of ours.
"""

import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from rexbench.gateway import serve
from rexbench.gateway.settings import SOCKET
from tests.gateway.scene import BODIES, CHAT, Here, gateway_here, settings_for
from tests.gateway.upstream import provider


def hold(here: Here, count: int, stack: ExitStack) -> int:
    """Open connections and say a word on each; gives how many the gateway answered."""
    held = []
    for _ in range(count):
        connection = stack.enter_context(socket.socket(socket.AF_UNIX))
        connection.settimeout(30)
        connection.connect(str(here.folder / SOCKET))
        held.append(connection)
    answered = 0
    for connection in held:
        try:
            connection.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            answered += bool(connection.recv(100))
        except OSError:
            pass
    return answered


def test_without_a_bound_all_of_them_are_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "_CONNECTIONS", 10**6)
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here, ExitStack() as stack:
        assert hold(here, 400, stack) == 400


def test_no_more_than_a_bound_are_held_and_the_provider_is_reached(tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        assert here.client.post(CHAT, json=BODIES[CHAT]).status_code == 200
        with ExitStack() as stack:
            assert hold(here, 400, stack) <= 256
            assert here.client.post(CHAT, json=BODIES[CHAT]).status_code == 200, "an agent that only forgets to hang up can ask"
    assert "outage" not in dict(here.told)
