"""What the tables of a report are."""

from collections.abc import Iterator

import numpy as np

from rexbench.reports.results import Results
from rexbench.reports.table import Cell, Column, Table
from rexbench.stats.arrays import Floats
from rexbench.stats.failures import failure_classes
from rexbench.stats.flaky import flakiness
from rexbench.stats.frontier import pareto
from rexbench.stats.intervals import estimate_mean, estimate_rate, hierarchical_draws, rank_intervals
from rexbench.stats.means import headline, task_means, two_standard_errors
from rexbench.stats.passes import pass_at_k, pass_hat_k

_WHO = (Column("agent", "name"), Column("hints"))


def cells(results: Results) -> Iterator[tuple[int, int, str, str]]:
    """Agents at hint levels that have runs: both codes and both names."""
    for agent, name in enumerate(results.agents):
        for hint, level in enumerate(results.hints):
            if results.runs[agent, hint].any():
                yield agent, hint, name, level


def headline_table(results: Results) -> Table:
    """Final success with its interval, and the ranks that resampled campaigns give."""
    draws = {level: hierarchical_draws(results.wins[:, at], results.runs[:, at]) for at, level in enumerate(results.hints)}
    ranks = {level: rank_intervals(drawn) for level, drawn in draws.items()}
    rows: list[tuple[Cell, ...]] = []
    for agent, hint, name, level in cells(results):
        wins, runs = results.wins[agent, hint], results.runs[agent, hint]
        found = estimate_rate(wins, runs, draws[level][:, agent])
        low, high, first = (float(array[agent]) for array in ranks[level])
        rank = f"{low:.0f}" if low == high else f"{low:.0f}-{high:.0f}"
        bars = found.value, found.low, found.high, two_standard_errors(wins, runs)
        rows.append((name, level, int(runs.sum()), *bars, round(found.effective_runs, 1), rank, first))
    return Table(
        "headline",
        "Final success",
        (
            *_WHO,
            Column("runs", "count"),
            Column("success", "rate"),
            Column("low", "rate"),
            Column("high", "rate"),
            Column("2 SE", "rate", "two_standard_errors"),
            Column("worth", "number", "effective_runs"),
            Column("rank"),
            Column("first", "rate", "share_of_draws_first", wide=True),
        ),
        tuple(rows),
        "Mean over tasks; low and high: 95 % interval for tasks of this kind (hierarchical bootstrap, Wilson); 2 SE: the paper's "
        "bars, for comparison; worth: independent runs that would say as much; rank: within the hint level, in 95 % of resampled "
        "campaigns.",
    )


def measures_table(results: Results) -> Table:
    """Everything beside final success."""
    repeats = int(results.runs[results.runs > 0].min())
    means = {
        name: headline(results.means(values.astype(np.float64)))
        for name, values in (
            ("execution", results.execution),
            ("precision", results.precision),
            ("cost", results.cost),
            ("seconds", results.seconds),
            ("tokens", results.tokens),
            ("turns", results.turns),
        )
    }
    recall = results.means(results.recall)
    rows: list[tuple[Cell, ...]] = []
    for agent, hint, name, level in cells(results):
        wins, runs = results.wins[agent, hint], results.runs[agent, hint]
        at = agent, hint
        found = estimate_mean(recall[at], float(runs.sum()))
        tries = (float(headline(passes(wins, runs, repeats))) for passes in (pass_at_k, pass_hat_k))
        spent = (float(means[key][at]) for key in ("cost", "seconds", "turns", "tokens"))
        ran, exact = float(means["execution"][at]), float(means["precision"][at])
        rows.append((name, level, ran, found.value, found.low, found.high, exact, *tries, *spent))
    return Table(
        "measures",
        "Beside final success",
        (
            *_WHO,
            Column("exec", "rate", "execution_success"),
            Column("recall", "rate", "file_recall"),
            Column("recall low", "rate", wide=True),
            Column("recall high", "rate", wide=True),
            Column("prec", "rate", "file_precision", wide=True),
            Column(f"pass@{repeats}", "rate"),
            Column(f"pass^{repeats}", "rate"),
            Column("$", "money", "usd_per_run"),
            Column("s", "number", "agent_seconds_per_run"),
            Column("turns", "number", wide=True),
            Column("tokens", "number", wide=True),
        ),
        tuple(rows),
        f"exec: the experiment ran and left its artefacts; recall: share of gold's files edited; pass@{repeats}, pass^{repeats}: "
        f"solved at least once, and every time, in {repeats} runs; $ and s: per run of the agent, - where not known.",
    )


def by_task_table(results: Results) -> Table:
    """Success by task; what the heat map shows."""
    means = task_means(results.wins, results.runs)
    rows: list[tuple[Cell, ...]] = [
        (name, level, *(float(value) for value in means[agent, hint])) for agent, hint, name, level in cells(results)
    ]
    return Table(
        "by_task",
        "Success by task",
        (*_WHO, *(Column(task, "rate", task) for task in results.tasks)),
        tuple(rows),
        "Share of runs.",
    )


def faults_table(results: Results) -> Table:
    """Final success with faults left out, as everywhere else, and with faults counted as failures."""
    rows: list[tuple[Cell, ...]] = []
    for agent, name in enumerate(results.agents):
        for hint, level in enumerate(results.hints):
            runs, lost = results.runs[agent, hint], results.faults[agent, hint]
            if not (runs.any() or lost.any()):
                continue
            without = float(headline(task_means(results.wins[agent, hint], runs)))
            counted = float(headline(task_means(results.wins[agent, hint], runs + lost)))
            rows.append((name, level, int(runs.sum()), int(lost.sum()), without, counted))
    return Table(
        "faults",
        "With and without faults of the system",
        (
            *_WHO,
            Column("runs", "count"),
            Column("faults", "count"),
            Column("success", "rate", "success_without_faults"),
            Column("counted", "rate", "success_with_faults_as_failures"),
        ),
        tuple(rows),
        "success leaves faults out, since they say nothing about the agent; counted takes them as failures, as harnesses do that "
        "do not tell them apart.",
        None if results.faults.any() else (),
    )


def failures_table(results: Results) -> Table:
    """Ways to fail, over all agents and for each."""
    everyone = list(zip(results.outcome, results.exception, strict=True))
    rows: list[tuple[Cell, ...]] = []
    for name, chosen in (
        ("all", everyone),
        *((name, [everyone[at] for at in np.flatnonzero(results.agent == agent)]) for agent, name in enumerate(results.agents)),
    ):
        rows += [(name, found.outcome, found.exception or None, found.count, found.share) for found in failure_classes(chosen)]
    return Table(
        "failures",
        "How runs fail",
        (Column("agent", "name"), Column("outcome"), Column("exception"), Column("runs", "count"), Column("share", "rate")),
        tuple(rows),
        "Share of the agent's failures. wrong_result is the implicit kind: it ran, and the number is not gold's.",
        tuple(row for row in rows if row[0] == "all"),
    )


def flaky_table(results: Results) -> Table:
    """Tasks by how often the same agent gets another result when it tries again."""
    rows: list[tuple[Cell, ...]] = []
    for task, name in enumerate(results.tasks):
        found = flakiness(results.wins[:, :, task], results.runs[:, :, task])
        solved = float(headline(task_means(results.wins[:, :, task], results.runs[:, :, task]).ravel()))
        rows.append((name, solved, found.cells, found.mixed, found.disagreement))
    order = sorted(rows, key=lambda row: (-_number(row[4]), str(row[0])))
    return Table(
        "flaky",
        "Flaky tasks",
        (
            Column("task", "name"),
            Column("success", "rate"),
            Column("cells", "count"),
            Column("mixed", "count"),
            Column("disagree", "rate", "disagreement"),
        ),
        tuple(order),
        "cells: agents at hint levels with two runs or more; mixed: both solved and failed; disagree: chance that two runs of the "
        "same agent differ. A task that nobody or everybody solves tells agents apart no more than a flaky one does.",
    )


def frontier_table(results: Results) -> Table:
    """Cost and time against success."""
    who = list(cells(results))
    cost, seconds = (headline(results.means(values)) for values in (results.cost, results.seconds))
    success = headline(task_means(results.wins, results.runs))
    at = tuple(np.array([cell[axis] for cell in who]) for axis in (0, 1))
    columns: list[Floats] = [array[at] for array in (cost, seconds, success)]
    cheap, quick = np.zeros(len(who), dtype=np.bool_), np.zeros(len(who), dtype=np.bool_)
    for level in np.unique(at[1]):
        own = at[1] == level
        cheap[own], quick[own] = (pareto(column[own], columns[2][own]) for column in columns[:2])
    rows: list[tuple[Cell, ...]] = [
        (name, level, *(float(column[row]) for column in columns), bool(cheap[row]), bool(quick[row]))
        for row, (_, _, name, level) in enumerate(who)
    ]
    return Table(
        "frontier",
        "Cost and time",
        (
            *_WHO,
            Column("$", "money", "usd_per_run"),
            Column("s", "number", "agent_seconds_per_run"),
            Column("success", "rate"),
            Column("cheapest", "text", "on_cost_frontier"),
            Column("quickest", "text", "on_time_frontier"),
        ),
        tuple(rows),
        "cheapest, quickest: at the same hint level no other succeeds at least as often for no more money, or time. Hints are "
        "given by the task and not chosen by the agent, so levels do not compete.",
        tuple(row for row in rows if True in row[-2:]),
    )


def _number(cell: Cell) -> float:
    return -1.0 if not isinstance(cell, float) or np.isnan(cell) else cell
