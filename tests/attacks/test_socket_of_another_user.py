"""Another user of this machine sends requests to a run's socket, which go out with our key and on the run's budget."""

import os
import socket
from pathlib import Path

import pytest

from rexbench.gateway.door import Door
from tests.gateway.scene import settings_for
from tests.gateway.upstream import provider

NOBODY = 65534
ASK = b'POST /v1/responses HTTP/1.1\r\nhost: x\r\ncontent-length: 29\r\n\r\n{"model": "m", "input": "hi"}'

pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="being another user is root's")


def knock(at: Path) -> str:
    """What another user gets from the socket."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        told = b""
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            with socket.socket(socket.AF_UNIX) as door:
                door.settimeout(30)
                door.connect(str(at))
                door.sendall(ASK)
                told = door.recv(4096)
        except OSError as error:
            told = type(error).__name__.encode()
        finally:
            os.write(write, told)
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return told.decode()


@pytest.fixture
def reachable(tmp_path: Path) -> Path:
    """A folder that everybody may enter, as a home often is."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == 0 and "pytest" in str(folder):
            folder.chmod(0o755)
    return tmp_path


def test_the_door_is_its_owners_alone(reachable: Path) -> None:
    with (
        provider() as upstream,
        Door(settings_for(upstream), reachable / "door", reachable / "exchanges.jsonl", os.environ) as door,
    ):
        door.wait_ready()
        assert (reachable / "door").stat().st_mode & 0o077 == 0
        assert knock(door.socket) == "PermissionError" and not upstream.requests


def test_an_open_folder_lets_everybody_in(reachable: Path) -> None:
    with (
        provider() as upstream,
        Door(settings_for(upstream), reachable / "door", reachable / "exchanges.jsonl", os.environ) as door,
    ):
        door.wait_ready()
        (reachable / "door").chmod(0o711)
        assert "200 OK" in knock(door.socket) and len(upstream.requests) == 1
