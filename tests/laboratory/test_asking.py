"""Asking over the real socket: order, budget, what refusals cost, and what no client can do."""

import json
import threading
from pathlib import Path

import pytest

from rexbench.laboratory.desk import MAX_CONNECTIONS
from rexbench.laboratory.lab import MAX_QUESTION
from rexbench.laboratory.record import Usage, read_record
from rexbench.laboratory.serve import LATE_KEPT, delay
from tests.laboratory.hostile import RUDE, WASTEFUL, attack
from tests.laboratory.scene import HIDDEN, WORLD, Client, open_laboratory


def test_answers_come_in_the_order_of_the_questions_with_what_is_left(tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 10) as laboratory, Client(laboratory.socket) as client:
        client.say(*({"x": x} for x in (1, HIDDEN + 1, 2)))
        replies = [client.hear() for _ in range(3)]
    assert [reply["answer"]["above"] for reply in replies if reply] == [False, True, False]
    assert [reply["left"] for reply in replies if reply] == [9, 8, 7]
    assert laboratory.usage == Usage(asked=3, answered=3, refused=0, spent=3, left=7)


LINES: dict[str, tuple[bytes, int, str]] = {
    "no JSON": (b"what is x?\n", 1, "one line of JSON"),
    "an empty line": (b"\n", 1, "one line of JSON"),
    "no text": (b"\xff\xfe\n", 1, "one line of JSON"),
    "no object": (b"[1]\n", 1, "a JSON object"),
    "two objects": (b'{"x": 1}{"x": 2}\n', 1, "one line of JSON"),
    "not a number": (b'{"x": NaN}\n', 1, "finite numbers"),
    "infinity by overflow": (b'{"x": 1e999}\n', 1, "finite numbers"),
    "a huge integer": (b'{"x": 9223372036854775808}\n', 1, "64 bits"),
    "an integer of thousands of digits": (b'{"x": ' + b"7" * 100_000 + b"}\n", 1, "64 bits"),
    "deep nesting": (b'{"x": ' + b"[" * 40 + b"]" * 40 + b"}\n", 1, "at most 32 deep"),
    "nesting beyond the parser": (b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n", 1, "one line of JSON"),
    "a long line": (b'{"x": "' + b"y" * MAX_QUESTION + b'"}\n', 1, "at most 262144 bytes"),
    "nonsense": (b'{"y": 1}\n', 1, "x is a number."),
    "nonsense at a price": (b'{"y": 1, "times": 4}\n', 4, "x is a number."),
    "more than is left": (b'{"x": 1, "times": 11}\n', 1, "costs 11 and 10 is left"),
    "a price that is nonsense": (b'{"x": "a", "times": 1e300}\n', 1, "x is a number."),
}


@pytest.mark.parametrize("kind", LINES)
def test_a_bad_question_is_refused_with_a_sentence_and_costs(kind: str, tmp_path: Path) -> None:
    line, cost, words = LINES[kind]
    with open_laboratory(tmp_path, 10) as laboratory, Client(laboratory.socket) as client:
        refused = client.ask(line)
        assert refused and words in refused["error"] and refused["left"] == 10 - cost
        answered = client.ask({"x": HIDDEN, "times": 2})
        assert answered and answered["answer"]["above"] is False and answered["left"] == 8 - cost
    assert laboratory.usage == Usage(asked=2, answered=1, refused=1, spent=cost + 2, left=8 - cost)


def test_deep_but_allowed_nesting_and_many_brackets_are_no_offence(tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 10) as laboratory, Client(laboratory.socket) as client:
        for extra in ([[1, 2]] * 500, json.loads("[" * 31 + "]" * 31), "[" * 500):
            reply = client.ask({"x": 1, "extra": extra})
            assert reply and "answer" in reply


def test_after_the_end_every_question_is_refused_at_no_cost_and_few_are_recorded(tmp_path: Path) -> None:
    late = LATE_KEPT + 50
    with open_laboratory(tmp_path, 2) as laboratory, Client(laboratory.socket) as client:
        client.say(*[{"x": 1}] * (2 + late))
        replies = [client.hear() for _ in range(2 + late)]
    assert {reply and reply.get("error") for reply in replies[2:]} == {"The budget is used up."}
    assert laboratory.usage == Usage(asked=2 + late, answered=2, refused=late, spent=2, left=0)
    assert len(list(read_record(tmp_path / "questions.jsonl"))) == 2 + LATE_KEPT


def test_the_end_of_a_stream_ends_a_line(tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 5) as laboratory:
        with Client(laboratory.socket) as client:
            client.say(b'{"x": 1}')
            client.end()
            reply = client.hear()
            assert reply and "answer" in reply and client.hear() is None
        with Client(laboratory.socket) as client:
            client.say(b'{"x": ')
            client.end()
            reply = client.hear()
            assert reply and "error" in reply and reply["left"] == 3


def test_a_question_counts_though_nobody_waits_for_the_answer(tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 5) as laboratory:
        with Client(laboratory.socket) as client:
            client.say({"x": 1})
        with Client(laboratory.socket) as client:
            reply = client.ask({"x": 1})
    assert reply and reply["answer"]["asked"] == 2 and reply["left"] == 3


def test_a_crowd_waits_at_the_door_until_places_are_free(tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 2 * MAX_CONNECTIONS) as laboratory:
        crowd = [Client(laboratory.socket) for _ in range(MAX_CONNECTIONS + 50)]
        for client in crowd:
            client.say({"x": 1})
        for client in crowd:
            reply = client.hear()
            assert reply and "answer" in reply
            client.__exit__(None, None, None)
    assert laboratory.usage.answered == MAX_CONNECTIONS + 50


def test_thousands_who_connect_and_say_nothing_cost_nothing(tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 5) as laboratory:
        for _ in range(3000):
            with Client(laboratory.socket):
                pass
        with Client(laboratory.socket) as client:
            reply = client.ask({"x": 1})
    assert reply and reply["left"] == 4 and laboratory.usage.asked == 1


@pytest.mark.parametrize("seed", range(3))
def test_rude_clients_get_as_many_answers_as_the_budget_has_and_not_one_more(seed: int, tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 400) as laboratory:
        attack(laboratory.socket, 30, RUDE, seed)
        with Client(laboratory.socket) as honest:
            while (reply := honest.ask({"x": 1})) and reply["left"]:
                pass
    usage = laboratory.usage
    assert (usage.answered, usage.spent, usage.left, usage.fault) == (400, 400, 0, None)
    asked = [
        entry.reply["answer"]["asked"] for entry in read_record(tmp_path / "questions.jsonl") if entry.reply and entry.answered
    ]
    assert asked == list(range(1, 401)), "the world itself was asked as often, and in the order of the record"


@pytest.mark.parametrize("seed", range(3))
def test_wasteful_clients_spend_the_budget_and_break_nothing(seed: int, tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 400) as laboratory:
        attack(laboratory.socket, 30, WASTEFUL, seed)
        with Client(laboratory.socket) as honest:
            while (reply := honest.ask({"x": 1})) and reply["left"]:
                pass
    usage = laboratory.usage
    assert (usage.spent, usage.left, usage.fault) == (400, 0, None) and usage.answered <= 400
    assert sum(entry.cost or 0 for entry in read_record(tmp_path / "questions.jsonl")) == 400


def test_parallel_clients_share_one_budget(tmp_path: Path) -> None:
    answers = []

    def ask_on(at: Path) -> None:
        with Client(at) as client:
            while (reply := client.ask({"x": 1})) and "answer" in reply:
                answers.append(reply["answer"]["asked"])

    with open_laboratory(tmp_path, 300) as laboratory:
        threads = [threading.Thread(target=ask_on, args=(laboratory.socket,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(answers) == list(range(1, 301))


@pytest.mark.parametrize("pace", [30e-6, 0.01])
def test_an_answers_time_tells_how_often_the_pace_had_to_be_doubled_and_no_more(pace: float) -> None:
    assert {delay(pace * share, pace) for share in (0, 0.1, 0.99, 1)} == {pace}
    assert {delay(pace * share, pace) for share in (1.01, 1.5, 2)} == {2 * pace}
    assert len({delay(pace * share, pace) for share in range(1, 1000)}) == 11


FAULTS = {
    "a missing key": ('return {"y": question["y"]}', "raised KeyError in line 20"),
    "not a number": ('return {"y": float("nan")}', "ValueError: Out of range float"),
    "no object": ("return [1]", "an answer is a dict"),
    "no JSON": ('return {"y": {1, 2}}', "set cannot be written"),
    "too much": ('return {"y": "y" * 2_000_000}', "at most 1048576 bytes"),
    "leaving": ("import sys; sys.exit(0)", "raised SystemExit in line 20"),
    "a subclass of nothing usual": ("raise BaseException(self.hidden)", "raised BaseException in line 20"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_world_that_fails_is_a_fault_of_ours_that_says_where_and_not_what(kind: str, tmp_path: Path) -> None:
    code, words = FAULTS[kind]
    world = WORLD.replace(
        '        if not isinstance(question.get("x"), int | float):\n',
        f"        if question == {{}}:\n            {code}\n" + '        if not isinstance(question.get("x"), int | float):\n',
    )
    with open_laboratory(tmp_path, 10, world) as laboratory, Client(laboratory.socket) as client:
        assert client.ask({"x": 1}) and laboratory.fault is None
        assert client.ask({}, {"x": 1}) == {"error": "The laboratory failed.", "left": 8}
        assert client.hear() is None
    assert laboratory.fault and words in laboratory.fault and "over question 2" in laboratory.fault
    assert str(HIDDEN) not in laboratory.fault
    assert laboratory.usage == Usage(asked=2, answered=1, refused=0, spent=2, left=8, fault=laboratory.fault)


@pytest.mark.parametrize("cost", ["0", "-1", "1.5", "None", "question['y']"])
def test_a_price_that_is_none_is_a_fault_of_the_world(cost: str, tmp_path: Path) -> None:
    world = WORLD.replace('return question["times"] if', f'return {cost} if not question else question["times"] if')
    with open_laboratory(tmp_path, 10, world) as laboratory, Client(laboratory.socket) as client:
        assert client.ask({}) == {"error": "The laboratory failed.", "left": 10}
    assert laboratory.fault


def test_numbers_of_numpy_are_numbers(tmp_path: Path) -> None:
    world = WORLD.replace(
        "return {", 'import numpy\n        return {"a": numpy.arange(3), "b": numpy.int64(4), "c": numpy.float32(0.5), '
    )
    with open_laboratory(tmp_path, 10, world) as laboratory, Client(laboratory.socket) as client:
        reply = client.ask({"x": 1})
    assert reply and [reply["answer"][name] for name in "abc"] == [[0, 1, 2], 4, 0.5]
