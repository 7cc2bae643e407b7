"""A container engine gives the verdicts that bubblewrap gives. Runs where an engine answers; `make test-docker` brings one."""

from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.conftest import CONFIGURED
from tests.trials import evaluate

ENGINE = CONFIGURED.any_sandbox("docker")
pytestmark = [pytest.mark.docker, pytest.mark.skipif(ENGINE.missing() is not None, reason=f"{ENGINE.missing()}")]


def test_every_patch_of_the_toy_task_gets_the_same_outcome_and_numbers(toy: Task, bench: Bench, home: Path) -> None:
    docker = Bench(sandbox="docker")
    patches = {"gold": toy.vault.gold, "nop": b""} | toy.vault.alternatives | toy.vault.near_misses
    for name, patch in patches.items():
        one, other = evaluate(toy, patch, 21, bench), evaluate(toy, patch, 21, docker)
        assert one.outcome == other.outcome, name
        assert [metric.value for metric in one.metrics] == [metric.value for metric in other.metrics], name
        assert one.execution != other.execution
