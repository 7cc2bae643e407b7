"""What makes tasks hard: success on the size of gold's patch, where gold can be read."""

from collections.abc import Callable

import numpy as np

from rexbench.reports.results import Results
from rexbench.reports.table import Column, Table
from rexbench.stats.difficulty import difficulty_regression

GoldSize = Callable[[str], tuple[int, int] | None]
"""Lines changed and files in gold's patch, by the task's name; None where the task or its vault is not here."""
_FEWEST_TASKS = 4
"""Two slopes and a spread between tasks need some tasks to be seen in."""


def difficulty_table(results: Results, gold_size: GoldSize) -> Table | None:
    """Final success on lines changed and files in gold's patch, with an intercept for each agent; None where it cannot be told."""
    sizes = {task: size for task in results.tasks if (size := gold_size(task))}
    chosen = np.isin(results.task, [results.tasks.index(task) for task in sizes])
    met = {results.tasks[at] for at in np.unique(results.task[chosen])}
    if len(met) < _FEWEST_TASKS or len(np.unique(results.success[chosen])) < 2:
        return None
    properties = np.array([sizes[results.tasks[at]] for at in results.task[chosen]], dtype=np.float64)
    properties[:, 0] /= 10
    found = difficulty_regression(results.success[chosen], properties, results.agent[chosen], results.task[chosen])
    names = ("ten lines changed", "one file more")
    return Table(
        "difficulty",
        "What makes tasks hard",
        (
            Column("property of gold's patch", "name"),
            Column("effect", "number"),
            Column("error", "number", "standard_error"),
            Column("p", "p"),
        ),
        tuple((name, each.value, each.standard_error, each.p) for name, each in zip(names, found, strict=True)),
        f"Points of success for one unit more, by least squares with an intercept for each agent, errors clustered by task "
        f"({len(met)} tasks). The paper found -0.038 (p < .01) for lines changed, in units of its own, and nothing for files.",
    )
