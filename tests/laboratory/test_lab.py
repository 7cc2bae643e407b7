"""The client that goes into workspaces: the same answers and the same budget, with the world behind a socket or in process."""

import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rexbench.laboratory import lab
from rexbench.laboratory.client import client_source
from rexbench.laboratory.door import VARIABLE
from rexbench.laboratory.lab import MAX_QUESTION, Lab, Refused
from tests.laboratory.scene import HIDDEN, WORLD, make_task, open_laboratory

AWKWARD = (
    None,
    True,
    0,
    -1,
    2**63,
    10**400,
    0.1,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "ü\u2028\n",
    "\ud800",
    [],
    {},
    [[[]]],
    {"a": {}},
)


@pytest.fixture
def public(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with a public world, and the client looking there."""
    workspace = make_task(tmp_path / "workspace")
    monkeypatch.setattr(lab, "HERE", workspace)
    monkeypatch.delenv(VARIABLE, raising=False)
    return workspace


def in_process(workspace: Path, budget: int) -> Lab:
    return Lab(workspace / "data", workspace / "truth", budget)


def questions(seed: int) -> list[dict[str, object]]:
    """Good ones and bad ones, at random."""
    chance, asked = random.Random(seed), []
    for _ in range(300):
        question: dict[str, object] = {"x": chance.randrange(2 * HIDDEN)}
        if chance.random() < 0.3:
            question["times"] = chance.randrange(-1, 9)
        if chance.random() < 0.3:
            question[chance.choice(("x", "times", "extra"))] = chance.choice(AWKWARD)
        asked.append(question)
    asked[chance.randrange(100)] = {"x": "y" * MAX_QUESTION}
    return asked


def tell(client: Lab, asked: list[dict[str, object]], at_once: int) -> list[tuple[str, int]]:
    """What came of each, and what was left after each batch."""
    told = []
    for at in range(0, len(asked), at_once):
        answers = client.ask_many(asked[at : at + at_once])
        told += [(f"refused: {answer}" if isinstance(answer, Refused) else json.dumps(answer), client.left) for answer in answers]
    return told


@pytest.mark.parametrize("at_once", [1, 7, 1000])
@pytest.mark.parametrize("seed", range(4))
def test_the_same_questions_give_the_same_answers_and_cost_the_same_either_way(
    seed: int, at_once: int, public: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tell(in_process(public, 400), questions(seed), at_once)
    with open_laboratory(tmp_path, 400) as laboratory:
        monkeypatch.setenv(VARIABLE, str(laboratory.socket))
        there = tell(Lab(budget=400), questions(seed), at_once)
    assert here == there
    assert here[-1][1] == 0, "the questions were enough to reach the end of the budget"


def test_a_refusal_is_an_exception_for_one_question_and_stands_in_its_place_among_many(public: Path) -> None:
    client = in_process(public, 5)
    with pytest.raises(Refused, match=r"x is a number\."):
        client.ask({})
    answers = client.ask_many([{"x": 1}, {}, {"x": 2}])
    assert [isinstance(answer, Refused) for answer in answers] == [False, True, False] and client.left == 1


def test_a_world_that_fails_in_process_shows_its_traceback(public: Path) -> None:
    (public / "laboratory.py").write_text(WORLD.replace("self.asked += 1", "question['z']"))
    with pytest.raises(KeyError):
        in_process(public, 5).ask({"x": 1})


def test_threads_and_forks_that_share_a_client_get_their_own_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(number: int) -> bool:
        return all(client.ask({"x": HIDDEN + number})["above"] is (number > 0) for _ in range(50))

    with open_laboratory(tmp_path, 5000) as laboratory:
        monkeypatch.setenv(VARIABLE, str(laboratory.socket))
        client = Lab(budget=5000)
        client.ask({"x": 1})
        children = []
        for number in (-1, 1):
            child = os.fork()
            if child == 0:
                os._exit(0 if ask(number) else 1)
            children.append(child)
        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(ask, (-2, 2, -3, 3)))
        assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
    assert laboratory.usage.answered == 1 + 6 * 50


def test_a_laboratory_that_has_gone_is_said_to_have_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_laboratory(tmp_path, 5) as laboratory:
        monkeypatch.setenv(VARIABLE, str(laboratory.socket))
        client = Lab(budget=5)
        client.ask({"x": 1})
    with pytest.raises(ConnectionError):
        client.ask({"x": 1})


def test_answers_far_larger_than_any_buffer_arrive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = WORLD.replace("return {", 'return {"long": "y" * 900_000, ')
    with open_laboratory(tmp_path, 50, world) as laboratory:
        monkeypatch.setenv(VARIABLE, str(laboratory.socket))
        answers = Lab(budget=50).ask_many([{"x": 1}] * 20)
    assert all(not isinstance(answer, Refused) and len(answer["long"]) == 900_000 for answer in answers)


def test_the_file_needs_nothing_but_the_standard_library(public: Path) -> None:
    (public / "lab.py").write_text(client_source(73))
    program = "import sys; sys.path.insert(0, '.'); from lab import Lab; lab = Lab(); print(lab.ask({'x': 1})['above'], lab.left)"
    told = subprocess.run([sys.executable, "-I", "-S", "-c", program], cwd=public, capture_output=True, text=True, check=False)
    assert told.stdout == "False 72\n", told.stderr
    assert not list(public.rglob("laboratory*.pyc"))
