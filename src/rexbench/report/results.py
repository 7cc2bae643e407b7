"""Runs as arrays: one entry for each run, and sums by agent, hint level and task.

What is summed is what the reading holds; whoever wants agents without controls, or one kind of task alone, hands in that part.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from rexbench.campaign.plan import HANDED_IN
from rexbench.record.model import Run
from rexbench.report.reading import Reading
from rexbench.stats.arrays import Booleans, Floats, Integers
from rexbench.stats.means import tally, task_means


@dataclass(frozen=True)
class Results:
    """The numbers of a campaign, or of a part of it."""

    agents: tuple[str, ...]
    hints: tuple[str, ...]
    tasks: tuple[str, ...]
    agent: Integers
    hint: Integers
    task: Integers
    """Codes into the three names above, one for each run."""
    success: Booleans
    execution: Booleans
    recall: Floats
    precision: Floats
    cost: Floats
    """US dollars; NaN where it is not known."""
    seconds: Floats
    """Of the agent's step; NaN, as the next two, where the patch was made elsewhere."""
    tokens: Floats
    turns: Floats
    outcome: tuple[str, ...]
    exception: tuple[str, ...]
    """Empty where there was none."""
    faults: Integers
    """By agent, hint level and task: runs without a verdict through no fault of the agent."""

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.agents), len(self.hints), len(self.tasks)

    def sums(self, values: npt.ArrayLike | None = None) -> Floats:
        """Sum of a quantity over the runs of each cell; their number if none is given."""
        return tally([self.agent, self.hint, self.task], self.shape, values)

    def means(self, values: Floats) -> Floats:
        """Mean of a quantity by cell over the runs where it is known."""
        known = ~np.isnan(values)
        return task_means(self.sums(np.where(known, values, 0.0)), self.sums(known))

    @cached_property
    def runs(self) -> Integers:
        return self.sums().astype(np.int64)

    @cached_property
    def wins(self) -> Integers:
        return self.sums(self.success).astype(np.int64)


def results_of(reading: Reading) -> Results:
    """Arrays from records."""
    agents, hints, tasks = ({name: at for at, name in enumerate(names)} for names in (reading.agents, reading.hints, reading.tasks))
    records = [(entry.agent, entry.run) for entry in reading.runs]
    faults = np.zeros((len(agents), len(hints), len(tasks)), dtype=np.int64)
    for fault in reading.faults:
        faults[agents[fault.agent], hints[fault.hints], tasks[fault.task]] += 1
    return Results(
        agents=reading.agents,
        hints=reading.hints,
        tasks=reading.tasks,
        agent=np.array([agents[agent] for agent, _ in records], dtype=np.int64),
        hint=np.array([hints[run.hints] for _, run in records], dtype=np.int64),
        task=np.array([tasks[run.task] for _, run in records], dtype=np.int64),
        success=np.array([run.outcome == "success" for _, run in records]),
        execution=np.array([run.execution_success for _, run in records]),
        recall=np.array([run.file_recall for _, run in records]),
        precision=np.array([run.file_precision for _, run in records]),
        cost=np.array([np.nan if run.step.cost_usd is None else run.step.cost_usd for _, run in records]),
        seconds=np.array([_measured(run, run.step.seconds) for _, run in records]),
        tokens=np.array([_measured(run, run.step.tokens.input + run.step.tokens.output) for _, run in records]),
        turns=np.array([_measured(run, run.step.turns) for _, run in records]),
        outcome=tuple(run.outcome for _, run in records),
        exception=tuple(
            next((made.exception for made in run.evaluations if made.outcome == run.outcome and made.exception), "") or ""
            for _, run in records
        ),
        faults=faults,
    )


def _measured(run: Run, value: float) -> float:
    return np.nan if run.step.agent == HANDED_IN else float(value)
