"""The parts of a report on success: who succeeds, with which hints, on which tasks, at what price, and how runs end.

Agents alone: controls have a part of their own. Each function gives None where a campaign has nothing to say on its matter.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from rexbench.reports.comparisons import comparisons_table, hints_table, pair_finding
from rexbench.reports.difficulty import GoldSize, difficulty_table
from rexbench.reports.figures.frontier import draw_frontier, known_prices
from rexbench.reports.figures.hint_levels import draw_hints
from rexbench.reports.figures.rows import draw_by_task, draw_headline, draw_outcomes
from rexbench.reports.paper import CAVEAT, beside_paper_table, paper_findings, paper_pairs_table
from rexbench.reports.results import Results
from rexbench.reports.section import Figure, Section
from rexbench.reports.table import Cell, Column, Table
from rexbench.reports.tables import (
    by_task_table,
    cells,
    failures_table,
    faults_table,
    flaky_table,
    frontier_table,
    headline_table,
    measures_table,
)
from rexbench.stats.means import headline, task_means


def success_sections(results: Results, gold_size: GoldSize | None, caveat: str = "") -> list[Section]:
    """Everything on final success, in the order in which it is read."""
    made = headline_table(results)
    parts = (
        replace(_success(results, made), caveat=caveat),
        _hints(results, made),
        _tasks(results, gold_size),
        _frontier(results),
        _outcomes(results),
        _comparisons(results),
    )
    return [part for part in parts if part]


def controls_section(controls: Results, kinds: Mapping[str, str]) -> Section:
    """The controls beside what they must do: gold succeeds, nop does not. `kinds` says which of the two each is."""
    rows: list[tuple[Cell, ...]] = []
    scores = headline(controls.means(controls.score))
    for agent, hint, name, level in cells(controls):
        wins, runs = controls.wins[agent, hint], controls.runs[agent, hint]
        rows.append((name, level, int(runs.sum()), float(headline(task_means(wins, runs))), float(scores[agent, hint])))
    table = Table(
        "controls",
        "Controls",
        (Column("control", "name"), Column("hints"), Column("runs", "count"), Column("success", "rate"), Column("score", "rate")),
        tuple(rows),
        "gold hands in the known solution and ought to succeed everywhere; nop hands in nothing and ought to succeed nowhere. "
        "score: on scored tasks, where gold ought to have 1 and nop 0.",
    )
    return Section("controls", "Controls", "Controls", (table,), says=(_controls_found(controls, kinds),), unfolded=True)


def paper_section(results: Results) -> Section:
    """The published agents beside the user's."""
    pairs = paper_pairs_table()
    tables = beside_paper_table(results), pairs
    return Section("paper", "Paper", "Beside the published agents", tables, says=tuple(paper_findings(pairs)), caveat=CAVEAT)


def _success(results: Results, made: Table) -> Section:
    figure = Figure(
        "headline",
        lambda width: draw_headline(made, width),
        note="Dot: mean over tasks. Bar: 95 % interval for tasks of this kind.",
    )
    return Section("headline", "Success", "Final success", (made, measures_table(results), faults_table(results)), (figure,))


def _hints(results: Results, made: Table) -> Section | None:
    if len(results.hints) < 2:
        return None
    figure = Figure(
        "hints",
        lambda width: draw_hints(made, results.hints, width),
        note="Final success from 0 to 100 % at each hint level, with 95 % intervals.",
    )
    return Section("hint-levels", "Hints", "What hints do", (hints_table(results),), (figure,))


def _tasks(results: Results, gold_size: GoldSize | None) -> Section:
    made = by_task_table(results)
    figure = Figure(
        "by_task",
        lambda width: draw_by_task(made, width),
        lambda width: draw_by_task(made, width, linked=True),
        "Per cent of runs that succeed. A cell leads to its runs.",
    )
    hard = difficulty_table(results, gold_size) if gold_size else None
    tables = made, flaky_table(results), *((hard,) if hard else ())
    return Section("tasks", "Tasks", "Agents and tasks", tables, (figure,))


def _frontier(results: Results) -> Section:
    made = frontier_table(results)
    note = "Filled, and on the line: no other agent with the same hints succeeds at least as often for no more money, or time."
    figure = Figure("frontier", lambda width: draw_frontier(made, width), note=note)
    figures = (figure,) if known_prices(made) else ()
    return Section("frontier", "Cost and time", "Cost and time", (made,), figures)


def _outcomes(results: Results) -> Section:
    counted = {
        name: Counter(results.outcome[at] for at in np.flatnonzero(results.agent == agent))
        for agent, name in enumerate(results.agents)
    }
    figure = Figure("outcomes", lambda width: draw_outcomes(counted, width), note="Runs of each agent, by how they ended.")
    return Section("failures", "Failures", "How runs end", (failures_table(results),), (figure,))


def _comparisons(results: Results) -> Section | None:
    made = comparisons_table(results)
    if not made.rows:
        return None
    return Section(
        "comparisons", "Comparisons", "Agents compared", (made,), says=(pair_finding(made),), unfolded=len(made.rows) <= 15
    )


def _controls_found(controls: Results, kinds: Mapping[str, str]) -> str:
    wrong = [
        f"{name} on {task}"
        for agent, name in enumerate(controls.agents)
        for at, task in enumerate(controls.tasks)
        if controls.wins[agent, :, at].sum() != (controls.runs[agent, :, at].sum() if kinds[name] == "gold" else 0)
    ]
    if wrong:
        return f"Not as they ought to be: {', '.join(wrong)}. Results on these tasks are in doubt until that is explained."
    return "The controls are as they ought to be."
