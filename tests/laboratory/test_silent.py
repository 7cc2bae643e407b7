"""The laboratories of the suite tell what an honest question asks, and nothing by the time, the words or the order of answers.

Fresh worlds are asked through the real door. What is compared are distributions, at a level at which chance fails one run in ten
thousand.
"""

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import kruskal

from rexbench.laboratory.door import Laboratory
from rexbench.laboratory.serve import Limits
from rexbench.task.folder import Task
from rexbench.task.variants import Variant, write_variant
from tests.conftest import CONFIGURED
from tests.laboratory.scene import Client

CHANCE = 1e-4
Array = np.ndarray
PAIRS = [{"1": 1, "6": 1}, {"1": -1, "6": 1}, {"1": 2, "6": -2}, {"0": 2, "7": 2}]
HONEST: dict[str, list[dict[str, Any]]] = {
    "interventions": [
        {"arms": [{"n": 12}, {"n": 12}, {"set": {"3": dose}, "n": 12}, {"set": pair, "n": 12}, {"push": {"5": dose}, "n": 12}]}
        for dose, pair in zip((-2, -1, 1, 2), PAIRS, strict=True)
    ]
}
"""Questions for each world, which every world can answer."""
BENT: dict[str, list[dict[str, Any]]] = {
    "interventions": [
        {"arms": []},
        {"arms": [{"n": 0}]},
        {"arms": [{"n": 3, "set": {"0": 3}}]},
        {"arms": [{"n": 3, "set": {"0": 1, "1": 2}}]},
        {"arms": [{"n": 40, "set": {"2": 1}}]},
        {"arms": [{"n": 40}] * 6},
    ]
}
TASKS = sorted(task.id for task in CONFIGURED.suite.load_all() if task.spec.laboratory)


class Asked:
    """What every fresh world of a task said, and how long it took, asked in an order that is drawn."""

    def __init__(self, task: Task, made: Variant, folder: Path) -> None:
        self.strata = {path.stem: int(np.load(path)["stratum"]) for path in sorted(made.truth.glob("*.npz"))}
        self.answers: dict[str, list[Any]] = {world: [] for world in self.strata}
        self.seconds: dict[str, list[float]] = {world: [] for world in self.strata}
        self.errors: dict[str, list[str]] = {}
        assert task.spec.laboratory
        rng, budget = np.random.default_rng(1), task.spec.laboratory.budget
        with (
            Laboratory(
                task.folder, made.data, made.truth, budget, folder / "private", folder / "asked.jsonl", Limits()
            ) as laboratory,
            Client(laboratory.socket) as client,
        ):
            for question in HONEST[task.id]:
                for world in rng.permutation(sorted(self.strata)):
                    began = time.perf_counter()
                    said = client.ask({"world": str(world), **question})
                    self.seconds[str(world)].append(time.perf_counter() - began)
                    assert said
                    self.answers[str(world)].append(said["answer"])
            for world in {stratum: world for world, stratum in self.strata.items()}.values():  # errors cost, too
                for question in BENT[task.id]:
                    said = client.ask({"world": world, **question})
                    assert said
                    self.errors.setdefault(world, []).append(said["error"])


@pytest.fixture(scope="module", params=TASKS)
def worlds(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Task, Variant]:
    task = CONFIGURED.task(request.param)
    return task, write_variant(task, 20261, tmp_path_factory.mktemp("worlds") / "made")


@pytest.fixture(scope="module")
def asked(worlds: tuple[Task, Variant], tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return Asked(*worlds, tmp_path_factory.mktemp("asked"))


def test_every_laboratory_of_the_suite_is_asked() -> None:
    assert TASKS and set(TASKS) == set(HONEST) == set(BENT)


def errors_differ(asked: Asked) -> bool:
    return len({tuple(told) for told in asked.errors.values()}) > 1


def time_tells(asked: Asked) -> bool:
    """Does the time of an answer go with the stratum?"""
    groups = [
        [second for world, at in asked.strata.items() if at == stratum for second in asked.seconds[world]]
        for stratum in sorted(set(asked.strata.values()))
    ]
    return bool(kruskal(*groups).pvalue < CHANCE)


def order_tells(asked: Asked) -> bool:
    """Does a value go with its place in an arm, or with the one before it, any more than after shuffling?"""
    arms = np.array([arm for said in asked.answers.values() for answer in said for arm in answer["arms"]])
    arms = np.clip((arms - arms.mean(1, keepdims=True)) / np.maximum(arms.std(1, keepdims=True), 1e-9), -3, 3)
    place = np.arange(arms.shape[1]) - (arms.shape[1] - 1) / 2

    def told(values: Array) -> Array:
        return np.array([(values * place[:, None]).sum(), (values[:, 1:] * values[:, :-1]).sum()])

    rng = np.random.default_rng(2)
    shuffled = np.array([told(np.take_along_axis(arms, rng.random((*arms.shape[:2], 1)).argsort(1), 1)) for _ in range(200)])
    return bool((np.abs(told(arms) - shuffled.mean(0)) > 4 * shuffled.std(0)).any())


def test_errors_say_the_same_of_every_world(asked: Asked) -> None:
    assert not errors_differ(asked)


def test_time_tells_nothing_of_a_world(asked: Asked) -> None:
    assert not time_tells(asked)


def test_the_order_of_units_tells_nothing(asked: Asked) -> None:
    assert not order_tells(asked)


LEAKS: dict[str, tuple[Callable[[Asked], bool], str]] = {
    "errors": (
        errors_differ,
        """
        try:
            return super().answer(question)
        except ValueError as error:
            raise ValueError(f"{error} {stratum}") from None
""",
    ),
    "time": (
        time_tells,
        """
        time.sleep(0.001 * stratum)
        return super().answer(question)
""",
    ),
    "order": (
        order_tells,
        """
        said = super().answer(question)
        return said | {"arms": [sorted(arm) for arm in said["arms"]]}
""",
    ),
}
"""Ways to tell more than was asked, each with what has to notice it."""


@pytest.mark.parametrize("leak", LEAKS)
def test_a_laboratory_that_tells_more_is_noticed(worlds: tuple[Task, Variant], leak: str, tmp_path: Path) -> None:
    task, made = worlds
    folder = tmp_path / task.id
    shutil.copytree(task.folder, folder)
    with (folder / "laboratory.py").open("a") as source:
        source.write(
            f"""
import time

class Laboratory(Laboratory):
    def __init__(self, data, truth, budget):
        super().__init__(data, truth, budget)
        self.strata = {{path.stem: int(np.load(path)["stratum"]) for path in truth.glob("*.npz")}}

    def answer(self, question):
        stratum = self.strata[question["world"]]
{LEAKS[leak][1]}
"""
        )
    assert LEAKS[leak][0](Asked(CONFIGURED.task(folder), made, tmp_path))
