"""What the tables on scores are. Each takes results of scored tasks alone."""

from collections.abc import Sequence

import numpy as np

from rexbench.record.curve import Point
from rexbench.reports.reading import ReportedRun
from rexbench.reports.results import Results
from rexbench.reports.table import Cell, Column, Table
from rexbench.reports.tables import cells
from rexbench.stats.intervals import rank_intervals
from rexbench.stats.means import headline, task_means
from rexbench.stats.scores import best_of_k, by_task, interval_over_tasks, mean_score, score_at, score_draws, score_means

_WHO = (Column("agent", "name"), Column("hints"))


def scores_table(results: Results) -> Table:
    """Mean score with its interval, the best of several runs, the way to the ceiling, ranks."""
    repeats = int(results.runs[results.runs > 0].min())
    scores = [results.by_cell(results.score, agent) for agent in range(len(results.agents))]
    share, cost, seconds = (headline(results.means(values)) for values in (results.share, results.cost, results.seconds))
    reached = headline(task_means(results.wins, results.runs))
    ranks = [
        rank_intervals(score_draws(np.array([score_means(own[hint]) for own in scores]))) for hint in range(len(results.hints))
    ]
    rows: list[tuple[Cell, ...]] = []
    for agent, hint, name, level in cells(results):
        low, high, _ = ranks[hint]
        found = mean_score(scores[agent][hint])
        best, _, _ = interval_over_tasks(best_of_k(scores[agent][hint], repeats))
        rank = f"{low[agent]:.0f}" if low[agent] == high[agent] else f"{low[agent]:.0f}-{high[agent]:.0f}"
        at = agent, hint
        beside = best, float(share[at]), float(reached[at]), rank, float(cost[at]), float(seconds[at])
        rows.append((name, level, found.runs, found.value, found.low, found.high, *beside))
    return Table(
        "scores",
        "Scores",
        (
            *_WHO,
            Column("runs", "count"),
            Column("score", "rate"),
            Column("low", "rate"),
            Column("high", "rate"),
            Column(f"best@{repeats}", "rate"),
            Column("way", "rate", "share_of_the_way_to_the_ceiling"),
            Column("gold", "rate", "share_of_runs_as_good_as_gold", wide=True),
            Column("rank"),
            Column("$", "money", "usd_per_run", wide=True),
            Column("s", "number", "agent_seconds_per_run", wide=True),
        ),
        tuple(rows),
        f"Mean over tasks; 0 is the unchanged repository, 1 is gold, more is possible. low and high: 95 % interval for tasks of "
        f"this kind; best@{repeats}: expected best of {repeats} runs; way: share of the way from the unchanged repository to the "
        "ceiling, on tasks that have one; gold: share of runs as good as gold; rank: within the hint level, in 95 % of resampled "
        "sets of tasks.",
    )


def scores_by_task_table(results: Results) -> Table:
    """Mean score by task; what the map shows."""
    means = results.means(results.score)
    rows: list[tuple[Cell, ...]] = [
        (name, level, *(float(value) for value in means[agent, hint])) for agent, hint, name, level in cells(results)
    ]
    columns = (*_WHO, *(Column(task, "rate", task) for task in results.tasks))
    return Table("scores_by_task", "Score by task", columns, tuple(rows), "Mean over runs.")


def scores_by_stratum_table(results: Results) -> Table:
    """Mean score by task and stratum; a run without a figure has the unchanged repository's, 0."""
    rows: list[tuple[Cell, ...]] = []
    for agent, hint, name, level in cells(results):
        for task, told in enumerate(results.tasks):
            every = [results.strata[at] for at in np.flatnonzero(results.task == task)]
            own = [results.strata[at] for at in _chosen(results, agent, hint, task)]
            for stratum in dict.fromkeys(stratum for each in every for stratum in each):
                if own:
                    rows.append((name, level, told, stratum, sum(each.get(stratum, 0.0) for each in own) / len(own)))
    columns = (*_WHO, Column("task", "name"), Column("stratum"), Column("score", "rate"))
    return Table(
        "scores_by_stratum", "Score by stratum", columns, tuple(rows), "Mean over runs; 1 is gold's figure in the stratum."
    )


def score_over_time_table(results: Results, runs: Sequence[ReportedRun]) -> Table:
    """Mean score by what had been spent, over the runs whose captures were judged."""
    curves = [entry.curve for entry in runs]
    marks = sorted({point.minutes for curve in curves for point in curve[:-1]})
    rows: list[tuple[Cell, ...]] = []
    for agent, hint, name, level in cells(results):
        own = [at for at in np.flatnonzero((results.agent == agent) & (results.hint == hint)) if curves[at]]
        task = results.task[own]
        for minutes in (*marks, np.inf) if own else ():
            spent = [[point.minutes for point in curves[at]] for at in own]
            gains = [[np.nan if point.score is None else point.score for point in curves[at]] for at in own]
            reached = [float(score_at(price, gain, minutes)) for price, gain in zip(spent, gains, strict=True)]
            money = [_money_by(curves[at], minutes) for at in own]
            found = mean_score(by_task(task, reached, len(results.tasks)))
            paid = float(headline(score_means(by_task(task, money, len(results.tasks)))))
            rows.append(
                (name, level, "end" if np.isinf(minutes) else f"{minutes:g}", found.value, found.low, found.high, found.runs, paid)
            )
    columns = (Column("minutes"), Column("score", "rate"), Column("low", "rate"), Column("high", "rate"))
    return Table(
        "score_over_time",
        "Score over time",
        (*_WHO, *columns, Column("runs", "count"), Column("$", "money", "usd_by_then")),
        tuple(rows),
        "What runs had achieved by so many minutes, mean over tasks: the last capture by then, judged on the run's own held-out "
        "data; 0 before the first. $: spent by then, - where not known.",
    )


def _money_by(curve: Sequence[Point], minutes: float) -> float:
    """What a run had spent at its last capture by then; NaN where that is not known."""
    by_then = [point.usd for point in curve if point.minutes <= minutes]
    return 0.0 if not by_then else np.nan if by_then[-1] is None else by_then[-1]


def _chosen(results: Results, agent: int, hint: int, task: int) -> list[int]:
    return list(np.flatnonzero((results.agent == agent) & (results.hint == hint) & (results.task == task)))
