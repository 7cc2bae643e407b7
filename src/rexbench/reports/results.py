"""Runs as arrays: one entry for each run, and sums by agent, hint level and task.

What is summed is what the reading holds; whoever wants agents without controls, or one kind of task alone, hands in that part.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from rexbench.campaign.plan import HANDED_IN
from rexbench.record.model import FigureVerdict, Run
from rexbench.reports.reading import Reading
from rexbench.stats.arrays import Booleans, Floats, Integers
from rexbench.stats.means import tally, task_means
from rexbench.stats.scores import by_task

_FARTHEST = 10.0
"""A claimed limit counts as no farther from gold and base than this: on a logarithmic scale zero lies at infinity."""


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
    score: Floats
    """0 is the unchanged repository, 1 is gold; NaN, as the next one, for tasks that are not scored."""
    share: Floats
    """Of the way to the ceiling; NaN also for tasks whose ceiling nobody knows."""
    strata: tuple[dict[str, float], ...]
    """Scores by stratum; empty where the judge gives none or the run left no figure."""
    chance: Floats
    """Of success, as the agent claimed it; NaN where it claimed none."""
    claimed_low: Floats
    claimed_high: Floats
    """The claimed interval in units of score; NaN where there is none, or no figure to lay it beside."""
    figure_score: Floats
    """What the run's figure is worth, also where a broken guard cost it its score; NaN where a variant left no figure."""
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

    def by_cell(self, values: Floats, agent: int) -> Floats:
        """An agent's values by hint level, task and run; NaN where a cell has fewer runs than another."""
        own = self.agent == agent
        levels, tasks = len(self.hints), len(self.tasks)
        return by_task(self.hint[own] * tasks + self.task[own], values[own], levels * tasks).reshape(levels, tasks, -1)

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
    claims = np.array([_claimed_scores(run) for _, run in records], dtype=np.float64).reshape(-1, 2)
    limited = {run.task for _, run in records for made in run.evaluations if made.figure and made.figure.ceiling is not None}
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
        score=np.array([np.nan if run.score is None else run.score for _, run in records]),
        share=np.array([_share(run) if run.task in limited else np.nan for _, run in records]),
        strata=tuple(_strata(run) for _, run in records),
        chance=np.array([np.nan if run.claim is None or run.claim.success is None else run.claim.success for _, run in records]),
        claimed_low=claims[:, 0],
        claimed_high=claims[:, 1],
        figure_score=np.array([_figure_score(run) for _, run in records]),
        faults=faults,
    )


def _measured(run: Run, value: float) -> float:
    return np.nan if run.step.agent == HANDED_IN else float(value)


def _figure_score(run: Run) -> float:
    scores = [made.figure.score if made.figure else np.nan for made in run.evaluations]
    return float(np.mean(scores)) if scores else np.nan


def _share(run: Run) -> float:
    """Mean over the variants; what earned no score is nowhere on the way."""
    shares = [made.figure.share or 0.0 if made.figure and made.score else 0.0 for made in run.evaluations]
    return sum(shares) / len(shares) if shares else 0.0


def _strata(run: Run) -> dict[str, float]:
    figures = [made.figure for made in run.evaluations if made.figure and made.score]
    names = dict.fromkeys(name for figure in figures for name in figure.strata)
    return {name: sum(figure.strata.get(name, 0.0) for figure in figures) / len(run.evaluations) for name in names}


def _claimed_scores(run: Run) -> tuple[float, float]:
    """The claimed interval of the figure, as scores on the run's own variants."""
    if run.claim is None or run.claim.figure is None or math.isnan(_figure_score(run)):
        return np.nan, np.nan
    limits = [sorted(_as_score(made.figure, limit) for limit in run.claim.figure) for made in run.evaluations if made.figure]
    low, high = np.clip(np.mean(limits, axis=0), -_FARTHEST, _FARTHEST)
    return float(low), float(high)


def _as_score(figure: FigureVerdict, value: float) -> float:
    """What `evaluation.score` would give this value; the direction cancels out."""

    def on_scale(given: float) -> float:
        return math.log(max(given, 1e-300)) if figure.scale == "log" else given

    base = on_scale(figure.base)
    return (on_scale(value) - base) / (on_scale(figure.gold) - base)
