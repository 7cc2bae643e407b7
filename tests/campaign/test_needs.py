"""What a step is said to need of a machine covers what it may use."""

import pytest

from rexbench.campaign.needs import SLACK_MB, SLACK_MINUTES, evaluation_needs, largest
from rexbench.campaign.undertaking import Needs
from rexbench.task.folder import Task
from rexbench.task.scaffold import TEMPLATE
from rexbench.task.schema import Guard
from tests.evaluation.made import replication


def task(seconds: float, gpus: int = 0) -> Task:
    spec = replication()
    limits = spec.limits.model_copy(update={"seconds": seconds, "gpus": gpus})
    return Task(TEMPLATE, spec.model_copy(update={"limits": limits}))


@pytest.mark.parametrize(("seconds", "evaluations", "minutes"), [(60, 1, 160), (60, 3, 480), (45, 1, 120), (1, 2, 40)])
def test_an_evaluation_has_time_for_live_golds_run_beside_every_patchs(seconds: float, evaluations: int, minutes: int) -> None:
    """By the clock's backstop: twenty times the CPU seconds that references may use, ten minutes at least."""
    assert evaluation_needs(task(seconds), evaluations).minutes == minutes + SLACK_MINUTES


def test_time_for_the_unchanged_repository_and_for_guards_is_part_of_it() -> None:
    alone = evaluation_needs(task(60), 1).minutes - SLACK_MINUTES
    guard = Guard.model_validate({"name": "old-table", "command": "bash old.sh", "artefacts": [{"path": "results/old.csv"}]})
    guarded = task(60).spec.model_copy(update={"guards": (guard, guard)})
    three_trees, three_commands = alone / 2 * 3, 3  # patch, gold and base; the experiment and two guards
    assert evaluation_needs(Task(TEMPLATE, guarded), 1).minutes == three_trees * three_commands + SLACK_MINUTES


def test_memory_has_room_for_our_own_process_and_gpus_are_the_tasks() -> None:
    needs = evaluation_needs(task(60, gpus=2), 1)
    assert (needs.memory_mb, needs.gpus) == (1000 + SLACK_MB, 2)


def test_the_largest_need_takes_the_most_of_each() -> None:
    assert largest([Needs(1, 500, 0), Needs(3, 200, 1), Needs(2, 100, 0)]) == Needs(3, 500, 1)
