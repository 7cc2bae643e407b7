"""The laboratories of the suite tell what an honest question asks, and nothing by the time, the words or the order of answers.

Fresh worlds are asked through the real door. What is compared are distributions, at a level at which chance fails one run in ten
thousand.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import kruskal

from rexbench.laboratory.door import Laboratory
from rexbench.laboratory.serve import Limits
from rexbench.task.folder import Task
from rexbench.task.variants import write_variant
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

    def __init__(self, task: Task, folder: Path) -> None:
        made = write_variant(task, 20261, folder / "worlds")
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
def asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    yield Asked(CONFIGURED.task(request.param), tmp_path_factory.mktemp("asked"))


def test_every_laboratory_of_the_suite_is_asked() -> None:
    assert TASKS and set(TASKS) == set(HONEST) == set(BENT)


def test_errors_say_the_same_of_every_world(asked: Asked) -> None:
    assert len({tuple(told) for told in asked.errors.values()}) == 1


def test_time_tells_nothing_of_a_world(asked: Asked) -> None:
    groups = [
        [second for world, at in asked.strata.items() if at == stratum for second in asked.seconds[world]]
        for stratum in sorted(set(asked.strata.values()))
    ]
    assert kruskal(*groups).pvalue > CHANCE


def test_the_order_of_units_tells_nothing(asked: Asked) -> None:
    """Neither does a value go with its place in an arm, nor with the one before it, any more than after shuffling."""
    arms = np.array([arm for said in asked.answers.values() for answer in said for arm in answer["arms"]])
    arms = np.clip((arms - arms.mean(1, keepdims=True)) / np.maximum(arms.std(1, keepdims=True), 1e-9), -3, 3)
    place = np.arange(arms.shape[1]) - (arms.shape[1] - 1) / 2

    def told(values: Array) -> Array:
        return np.array([(values * place[:, None]).sum(), (values[:, 1:] * values[:, :-1]).sum()])

    rng = np.random.default_rng(2)
    shuffled = np.array([told(np.take_along_axis(arms, rng.random((*arms.shape[:2], 1)).argsort(1), 1)) for _ in range(200)])
    assert (np.abs(told(arms) - shuffled.mean(0)) < 4 * shuffled.std(0)).all()
