"""The parts of a report on scores. They speak of scored tasks alone: no number is taken over these and others together."""

from collections import Counter
from dataclasses import replace

import numpy as np

from rexbench.reports.comparisons import pair_finding, score_comparisons_table, score_hints_table
from rexbench.reports.figures.curves import draw_curves
from rexbench.reports.figures.rows import draw_outcomes, draw_scores, draw_scores_by_task
from rexbench.reports.reading import Reading
from rexbench.reports.results import Results, results_of
from rexbench.reports.score_tables import score_over_time_table, scores_by_stratum_table, scores_by_task_table, scores_table
from rexbench.reports.section import Figure, Section
from rexbench.reports.tables import failures_table


def score_sections(reading: Reading) -> list[Section]:
    """Everything on scores, in the order in which it is read; `reading` holds scored tasks alone."""
    results = results_of(reading)
    parts = _scores(results), _tasks(results), _over_time(results, reading), _outcomes(results), _comparisons(results)
    return [part for part in parts if part]


def _scores(results: Results) -> Section:
    made = scores_table(results)
    figure = Figure(
        "scores",
        lambda width: draw_scores(made, width),
        note="Dot: mean over tasks. Bar: 95 % interval for tasks of this kind. 0 is the unchanged repository, 1 is gold.",
    )
    hints = (score_hints_table(results),) if len(results.hints) > 1 else ()
    return Section("scores", "Scores", "Scores", (made, *hints), (figure,))


def _tasks(results: Results) -> Section:
    made = scores_by_task_table(results)
    figure = Figure(
        "scores_by_task",
        lambda width: draw_scores_by_task(made, width),
        lambda width: draw_scores_by_task(made, width, linked=True),
        "Mean score of runs. A cell leads to its runs.",
    )
    return Section("scored-tasks", "Scored tasks", "Scores by task", (made, scores_by_stratum_table(results)), (figure,))


def _over_time(results: Results, reading: Reading) -> Section | None:
    made = score_over_time_table(results, reading.runs)
    if not made.rows:
        return None
    figure = Figure("score_over_time", lambda width: draw_curves(made, width), note="Mean score with 95 % intervals, by minutes.")
    return Section("score-over-time", "Time", "Score over time", (made,), (figure,))


def _outcomes(results: Results) -> Section:
    counted = {
        name: Counter(results.outcome[at] for at in np.flatnonzero(results.agent == agent))
        for agent, name in enumerate(results.agents)
    }
    note = "Runs of each agent on scored tasks, by how they ended. below_gold has a score; all other failures count as 0."
    figure = Figure("score_outcomes", lambda width: draw_outcomes(counted, width), note=note)
    table = replace(failures_table(results), name="score_failures", title="How runs on scored tasks end")
    return Section("scored-failures", "Ends", "How runs on scored tasks end", (table,), (figure,))


def _comparisons(results: Results) -> Section | None:
    made = score_comparisons_table(results)
    if not made.rows:
        return None
    found = pair_finding(made)
    says = (f"On scores: {found[:1].lower()}{found[1:]}",)
    return Section("score-comparisons", "Scores compared", made.title, (made,), says=says, unfolded=len(made.rows) <= 15)
