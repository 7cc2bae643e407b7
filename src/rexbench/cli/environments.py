"""Building what experiments run in before the first of them, and saying so: the first time takes a minute or two."""

from collections.abc import Iterable

from rexbench.cli.progress import one_step
from rexbench.task.folder import Task
from rexbench.workbench import Workbench


def prepare_environments(tasks: Iterable[Task], bench: Workbench, quiet: bool) -> None:
    """Every environment that these tasks need, built if it is not there yet."""
    for name in sorted({task.spec.environment for task in tasks}):
        with one_step(f"preparing the environment {name}", quiet):
            bench.sandbox.prepare(name)
