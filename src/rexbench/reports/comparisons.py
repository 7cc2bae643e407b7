"""Agents beside agents, hint levels beside hint levels: every pair, tested and corrected for how many there are."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from rexbench.reports.results import Results
from rexbench.reports.table import Cell, Column, Table, known
from rexbench.stats.arrays import Integers
from rexbench.stats.effect import Effect, effect, scored_effect
from rexbench.stats.paired import holm

_TESTS = (
    Column("diff", "signed", "difference"),
    Column("low", "signed"),
    Column("high", "signed"),
    Column("better", "count", "tasks_better", wide=True),
    Column("worse", "count", "tasks_worse", wide=True),
    Column("p tasks", "p", "p_over_tasks"),
    Column("Holm", "p", "p_over_tasks_holm"),
    Column("least", "p", "least_possible_p", wide=True),
    Column("p runs", "p", "p_within_tasks"),
    Column("Holm", "p", "p_within_tasks_holm"),
)
TESTS = (
    "p tasks: sign-flip test over tasks, for other tasks of this kind; p runs: exact test within tasks, for these very tasks, "
    "where agents that are equal in general may well differ"
)
_FIRST = 12
NOTE = f"diff: first minus second, with its 95 % interval over tasks; {TESTS}; Holm: corrected for the number of rows."


def pair_table(name: str, title: str, agents: Sequence[str], wins: Integers, runs: Integers) -> Table:
    """Every pair of agents, over all hint levels that both ran; arrays by agent, hint level and task. Strongest evidence first."""
    return _pairs(name, title, agents, lambda a, b: effect(wins[a], runs[a], wins[b], runs[b]))


def score_comparisons_table(results: Results) -> Table:
    """Every pair of the campaign's agents, on scores."""
    scores = [results.by_cell(results.score, agent) for agent in range(len(results.agents))]
    title = "Agents compared on scores"
    return _pairs("score_comparisons", title, results.agents, lambda a, b: scored_effect(scores[a], scores[b]))


def score_hints_table(results: Results) -> Table:
    """What hints do to scores: each level against the first, for each agent, paired by task."""
    scores = [results.by_cell(results.score, agent) for agent in range(len(results.agents))]
    title = f"What hints do to scores, against {results.hints[0]}"
    return _levels("score_hints", title, results, lambda agent, hint: scored_effect(scores[agent][hint], scores[agent][0]))


def _pairs(name: str, title: str, agents: Sequence[str], compared: Callable[[int, int], Effect]) -> Table:
    found_by = {pair: compared(*pair) for pair in combinations(range(len(agents)), 2)}
    kept = [(pair, found) for pair, found in found_by.items() if found.tasks]
    leads = [(agents[a], agents[b]) for (a, b), _ in kept]
    table = _table(name, title, (Column("first", "name"), Column("second", "name")), leads, [found for _, found in kept])
    within = next(at for at, column in enumerate(table.columns) if column.field == "p_within_tasks")
    return replace(table, first=tuple(sorted(table.rows, key=lambda row: known(row[within]) or 0.0)[:_FIRST]))


def pair_finding(table: Table) -> str:
    """What the pairs say, in one sentence."""
    over, within = (count_differing(table, field) for field in ("p_over_tasks_holm", "p_within_tasks_holm"))
    count = f"Of {len(table.rows)} pairs of agents" if len(table.rows) != 1 else "Of one pair of agents"
    return (
        f"{count}, {over} differ at 5 % after Holm if these tasks stand for tasks of their kind, and {within} if these very tasks "
        "are meant."
    )


def comparisons_table(results: Results) -> Table:
    """Every pair of the campaign's agents."""
    return pair_table("comparisons", "Agents compared", results.agents, results.wins, results.runs)


def hints_table(results: Results) -> Table:
    """What hints do: each level against no hints, for each agent, paired by task."""
    wins, runs = results.wins, results.runs

    def compared(agent: int, hint: int) -> Effect:
        return effect(wins[agent, hint], runs[agent, hint], wins[agent, 0], runs[agent, 0])

    return _levels("hints", f"What hints do, against {results.hints[0]}", results, compared)


def _levels(name: str, title: str, results: Results, compared: Callable[[int, int], Effect]) -> Table:
    cells = [(agent, hint) for agent in range(len(results.agents)) for hint in range(1, len(results.hints))]
    kept = [(cell, found) for cell in cells if (found := compared(*cell)).tasks]
    leads = [(results.agents[agent], results.hints[hint]) for (agent, hint), _ in kept]
    return _table(name, title, (Column("agent", "name"), Column("hints")), leads, [found for _, found in kept])


def count_differing(table: Table, field: str, level: float = 0.05) -> int:
    """Rows whose corrected p is at most the level."""
    return sum((value := known(record[field])) is not None and value <= level for record in table.records())


def _table(name: str, title: str, heads: tuple[Column, ...], leads: Sequence[tuple[str, ...]], effects: Sequence[Effect]) -> Table:
    over_tasks, over_runs = (holm(np.array([getattr(found, key) for found in effects])) for key in ("p_tasks", "p_runs"))
    rows: list[tuple[Cell, ...]] = [
        (*lead, *_cells(found, float(over_tasks[at]), float(over_runs[at])))
        for at, (lead, found) in enumerate(zip(leads, effects, strict=True))
    ]
    return Table(name, title, (*heads, *_TESTS), tuple(rows), NOTE)


def _cells(found: Effect, tasks_holm: float, runs_holm: float) -> tuple[Cell, ...]:
    sides = found.difference, found.low, found.high, found.better, found.worse
    return *sides, found.p_tasks, tasks_holm, found.smallest_p, found.p_runs, runs_holm
