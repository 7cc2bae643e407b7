"""The record: whole, in order, bounded, and asked again with the same answers."""

import json
import os
import threading
from pathlib import Path

import pytest

from rexbench.laboratory.lab import load_world
from rexbench.laboratory.record import DIGEST_BYTES, digest, read_record, replay
from tests.laboratory.hostile import WASTEFUL, attack
from tests.laboratory.scene import HIDDEN, Client, open_laboratory
from tests.small_disk import small_disk


def test_every_line_stands_in_the_record_with_its_answer_and_price(tmp_path: Path) -> None:
    lines = [b'{"x": 5, "times": 3}\n', b"\xff\n", b'{"x": "\\ud800"}\n', '{"x": "ü\u2028"}\n'.encode(), b'{"x": 1, "times": 99}\n']
    with open_laboratory(tmp_path, 9) as laboratory, Client(laboratory.socket) as client:
        replies = [client.ask(line) for line in lines]
    entries = list(read_record(tmp_path / "questions.jsonl"))
    assert [entry.line for entry in entries] == [line.rstrip(b"\n") for line in lines]
    assert [entry.reply for entry in entries] == replies
    assert [(entry.order, entry.connection, entry.cost, entry.answered) for entry in entries] == [
        *((1, 1, 3, True), (2, 1, 1, False), (3, 1, 1, False), (4, 1, 1, False), (5, 1, 1, False)),
    ]


def test_asking_again_gives_the_same_answers_whoever_asked_first(tmp_path: Path) -> None:
    """The world draws noise from one stream: an answer depends on all that were given before, on every connection."""

    def ask(at: Path, number: int) -> None:
        with Client(at) as client:
            for x in range(100):
                client.ask({"x": x * number * 1000})

    with open_laboratory(tmp_path, 3000) as laboratory:
        threads = [threading.Thread(target=ask, args=(laboratory.socket, number)) for number in range(1, 7)]
        for thread in threads:
            thread.start()
        attack(laboratory.socket, 10, WASTEFUL)
        for thread in threads:
            thread.join()
    record, task = tmp_path / "questions.jsonl", tmp_path / "task"
    kept = list(read_record(record))
    assert len({entry.connection for entry in kept}) > 10
    assert replay(record, load_world(task / "laboratory.py", task / "data", task / "truth", 3000)) == kept
    (task / "truth" / "hidden.json").write_text(json.dumps(HIDDEN + 1))
    assert replay(record, load_world(task / "laboratory.py", task / "data", task / "truth", 3000)) != kept


def test_beyond_its_bound_the_record_grows_by_digests_alone(tmp_path: Path) -> None:
    question = {"x": 1, "padding": "p" * 1000}
    with open_laboratory(tmp_path, 500, record_bytes=20_000) as laboratory, Client(laboratory.socket) as client:
        replies = [client.ask(question) for _ in range(500)]
    record, task = tmp_path / "questions.jsonl", tmp_path / "task"
    kept = list(read_record(record))
    whole = [entry for entry in kept if entry.line is not None]
    assert 10 < len(whole) < 25 and len(kept) == 500
    assert record.stat().st_size < 20_000 + 2_000 + 500 * DIGEST_BYTES
    assert sum(entry.cost or 0 for entry in kept) == 500 and all(entry.answered for entry in kept)
    assert kept[-1].digest == digest(json.dumps(question).encode(), json.dumps(replies[-1]))
    assert replay(record, load_world(task / "laboratory.py", task / "data", task / "truth", 500)) == whole


@pytest.mark.skipif(os.getuid() != 0, reason="only root can mount a small disk")
def test_no_answer_is_out_that_could_not_be_recorded(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "1m") as disk:
        with open_laboratory(disk.folder, 500) as laboratory, Client(laboratory.socket) as client:
            heard = client.ask({"x": 1})
            disk.fill()
            replies = [heard]
            while replies[-1] and "answer" in replies[-1]:
                replies.append(client.ask({"x": 1, "padding": "p" * 1000}))
        usage = laboratory.usage
        assert replies[-1] and replies[-1]["error"] == "The laboratory failed."
        assert usage.fault and "No space left" in usage.fault
        assert (usage.asked, usage.answered, usage.refused) == (len(replies), len(replies) - 1, 0)
        kept = [entry.reply for entry in read_record(disk.folder / "questions.jsonl") if entry.reply]
        assert kept == replies[:-1]
