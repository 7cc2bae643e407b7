"""Another user of the machine finds the socket, to which anybody may connect, and spends the budget or asks for the answers."""

import os
from pathlib import Path

import pytest

from tests.laboratory.scene import Client, open_laboratory

OTHER = 1_900_065_000
pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")


def as_another(at: Path) -> str:
    """What another user hears on asking there, or why he cannot."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setresgid(OTHER, OTHER, OTHER)
        os.setresuid(OTHER, OTHER, OTHER)
        try:
            with Client(at) as client:
                told = str(client.ask({"x": 1}))
        except OSError as error:
            told = str(error)
        os.write(write, told.encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as pipe:
        return pipe.read()


@pytest.fixture
def passable(tmp_path: Path) -> Path:
    """A folder that everybody can reach: nothing but the laboratory's own folder stands in the way."""
    for parent in (tmp_path, *tmp_path.parents):
        if parent.stat().st_uid == os.getuid() and str(parent).startswith("/tmp/"):
            parent.chmod(0o755)
    return tmp_path


def test_another_user_does_not_get_to_the_socket(passable: Path) -> None:
    with open_laboratory(passable, 5) as laboratory:
        told = as_another(laboratory.socket)
    assert "Permission denied" in told and laboratory.usage.asked == 0


def test_without_the_private_folder_another_user_is_answered(passable: Path) -> None:
    with open_laboratory(passable, 5) as laboratory:
        laboratory.socket.parents[1].chmod(0o755)
        told = as_another(laboratory.socket)
    assert "answer" in told and laboratory.usage.answered == 1
