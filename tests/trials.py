"""Judging and running patches in tests, said in one line."""

from rexbench.evaluation import evaluate as evaluating
from rexbench.evaluation import execute as executing
from rexbench.evaluation.execute import Trial
from rexbench.record.model import Evaluation, Execution
from rexbench.task.folder import Task
from rexbench.workbench import Workbench


def evaluate(
    task: Task, patch: bytes, seed: int, bench: Workbench, training_seed: int | None = None, fresh: bool = False
) -> Evaluation:
    return evaluating.evaluate(Trial(task, patch, seed, training_seed=training_seed), bench, fresh)


def execute(
    task: Task, patch: bytes, seed: int, bench: Workbench, training_seed: int | None = None, fresh: bool = False
) -> Execution:
    return executing.execute(Trial(task, patch, seed, training_seed=training_seed), bench, fresh)
