"""A client asks without end and reads nothing: a server that waits for it serves nobody else, one that does not wait fills up."""

import socket
from pathlib import Path

import pytest

from rexbench.laboratory.desk import MAX_CONNECTIONS, MAX_UNREAD
from tests.attacks.test_question_without_end import peak_memory
from tests.laboratory.scene import WORLD, Client, open_laboratory

WORDY = WORLD.replace("return {", 'return {"long": "y" * 100_000, ')


def flood(at: Path) -> Client:
    """A client that has sent as much as is taken from it, and reads nothing."""
    client = Client(at)
    client.socket.settimeout(1)
    try:
        while True:
            client.say(b'{"x": 1}\n' * 5000)
    except TimeoutError:
        return client


def test_others_are_served_and_memory_is_bounded(tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 10**6, WORDY) as laboratory:
        before = peak_memory(laboratory.pid)
        silent = [flood(laboratory.socket) for _ in range(3)]
        with Client(laboratory.socket) as client:
            reply = client.ask({"x": 1})
            assert reply and "answer" in reply
        assert peak_memory(laboratory.pid) - before < 3 * 4 * MAX_UNREAD / 1024
        for client in silent:
            client.__exit__(None, None, None)
    assert laboratory.usage.fault is None
    assert laboratory.usage.asked < 3 * 2 * MAX_UNREAD / 100_000 + 10, "what is not read is not answered further"


def test_one_who_reads_nothing_gives_way_when_all_places_are_taken(tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 10**6, WORDY) as laboratory:
        silent = flood(laboratory.socket)
        crowd = [Client(laboratory.socket) for _ in range(MAX_CONNECTIONS - 1)]
        with Client(laboratory.socket) as newcomer:
            reply = newcomer.ask({"x": 1})
            assert reply and "answer" in reply
        silent.socket.settimeout(60)
        while silent.hear():  # what had been sent to it, then the end
            pass
        for client in crowd:
            client.__exit__(None, None, None)


def test_one_who_stops_reading_later_gives_way_to_those_who_wait_already(tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 10**6, WORDY) as laboratory:
        silent, *crowd = [Client(laboratory.socket) for _ in range(MAX_CONNECTIONS)]
        with Client(laboratory.socket) as newcomer:
            newcomer.say({"x": 1})
            for client in (*crowd, *crowd):  # all are in, and the newcomer was seen
                assert client.ask({"x": 1})
            silent.say(b'{"x": 1}\n' * 1000)
            reply = newcomer.hear()
            assert reply and "answer" in reply
        for client in (silent, *crowd):
            client.__exit__(None, None, None)


def test_a_server_that_waits_until_an_answer_is_taken_waits_for_ever() -> None:
    server, client = socket.socketpair()
    server.settimeout(1)
    with server, client, pytest.raises(TimeoutError):
        server.sendall(b"y" * 10**7)
