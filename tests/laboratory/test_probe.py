"""Probing a laboratory with bent questions finds what would end a run."""

import json
from pathlib import Path

import pytest

from rexbench.laboratory.lab import Meter, load_world
from rexbench.laboratory.probe import known_questions, probe
from tests.laboratory.scene import WORLD, Client, make_task, open_laboratory

CARELESS = {
    "a key taken for granted": ('"above": question["x"]', '"above": question["times"]', "KeyError"),
    "a type taken for granted": ("int | float)", "int | float | str)", "TypeError"),
    "a size taken for granted": (
        "self.asked += 1",
        'self.asked += sum(1 for _ in range(question["steps"] if isinstance(question.get("steps"), int) else 1))',
        "CPU time",
    ),
}


def test_known_questions_are_one_of_each_shape_that_was_answered(tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 90) as laboratory, Client(laboratory.socket) as client:
        for line in ({"x": 1}, {"x": 2}, {"x": 0.5}, {"x": 1, "times": 2}, {"y": 1}, b"x\n", {"x": 3, "times": 4}):
            client.ask(line)
    assert known_questions(tmp_path / "questions.jsonl") == [{"x": 1}, {"x": 0.5}, {"x": 1, "times": 2}]


def test_a_careful_world_bears_everything(tmp_path: Path) -> None:
    task = make_task(tmp_path / "task")
    assert probe(task, task / "data", task / "truth", [{"x": 1, "times": 2, "list": [1, {"a": "b"}]}], tmp_path) == []


@pytest.mark.parametrize("kind", CARELESS)
def test_a_careless_world_is_found_out_with_the_question(kind: str, tmp_path: Path) -> None:
    before, after, words = CARELESS[kind]
    task = make_task(tmp_path / "task", WORLD.replace(before, after))
    faults = probe(task, task / "data", task / "truth", [{"x": 1, "times": 2, "steps": 3}], tmp_path)
    assert faults and any(words in fault for fault in faults), faults


def test_the_documented_example_answers_and_bears_everything(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "laboratory.md").read_text()
    example = next(block for block in page.split("```python\n")[1:] if "class Laboratory" in block).partition("```")[0]
    task = make_task(tmp_path / "task", example)
    (task / "truth" / "curve.json").write_text('{"half": 2.0, "seed": 7}')
    question = {"dose": 2.0, "repeats": 3}
    world = load_world(task / "laboratory.py", task / "data", task / "truth", 10)
    reply = json.loads(Meter(world, 10).reply(json.dumps(question).encode()))
    assert len(reply["answer"]["responses"]) == 3 and reply["left"] == 7
    assert probe(task, task / "data", task / "truth", [question], tmp_path) == []
