"""The part of a report on claims: what agents said of their own work beside what was measured. Tiers stand apart here too."""

import numpy as np

from rexbench.reports.figures.claims import draw_chances, draw_claimed_scores
from rexbench.reports.reading import Reading
from rexbench.reports.results import Results, results_of
from rexbench.reports.section import Figure, Section
from rexbench.reports.table import Cell, Column, Table
from rexbench.reports.tables import cells
from rexbench.stats.claims import SuccessClaims, interval_claims, success_claims

_WHO = (Column("agent", "name"), Column("hints"))


def claims_section(reading: Reading) -> Section | None:
    """Claimed chances of success on all tasks, claimed intervals on scored ones; None where no run claimed anything."""
    scored = reading.scored
    tiers = {"replication": [name for name in reading.tasks if name not in scored], "scored": list(scored)}
    parts = {name: results_of(part) for name, tasks in tiers.items() if (part := reading.part(tasks=tasks)).runs}
    if all(entry.run.claim is None for entry in reading.runs):
        return None
    chances, bins = chances_table(parts), _bins_table(parts)
    figures = [Figure("claimed_chances", lambda width: draw_chances(bins, width), note=_CHANCES)] if bins.rows else []
    tables = [chances, bins]
    if "scored" in parts:
        singles = _claimed_scores_table(parts["scored"])
        tables += [_intervals_table(parts["scored"]), singles]
        if singles.rows:
            figures.append(Figure("claimed_scores", lambda width: draw_claimed_scores(singles, width), note=_INTERVALS))
    return Section("claims", "Claims", "What agents claim", tuple(tables), tuple(figures))


_CHANCES = (
    "Claimed chance of success, and the share of such runs that succeeded, with 95 % intervals. On the line: calibrated. Below it: "
    "claims more than it has."
)
_INTERVALS = (
    "Each run's claimed 80 % interval, as a bar, over its measured score. Eight of ten bars ought to meet the line; bars above it "
    "claim more than was achieved."
)


def chances_table(parts: dict[str, Results]) -> Table:
    """Claimed chances of success beside outcomes, by tier."""
    rows: list[tuple[Cell, ...]] = []
    for tier, results in parts.items():
        for agent, hint, name, level in cells(results):
            found = _claims(results, agent, hint)
            scores = found.brier.value, found.brier.low, found.brier.high, found.reference, found.skill, found.overclaimed.value
            rows.append((name, level, tier, found.claimed, found.missing, *scores))
    return Table(
        "claims",
        "Claimed chances of success",
        (
            *_WHO,
            Column("tier", "name"),
            Column("claims", "count"),
            Column("missing", "count"),
            Column("Brier", "rate", "brier_score"),
            Column("low", "rate", "brier_low", wide=True),
            Column("high", "rate", "brier_high", wide=True),
            Column("ref", "rate", "reference"),
            Column("skill", "signed"),
            Column("over", "rate", "overclaimed"),
        ),
        tuple(rows),
        "Brier: mean of (claimed chance - outcome) squared, 0 is perfect; ref: what a constant claim of the agent's own success "
        "rate would get; skill: 1 - Brier / ref; over: share of claims of 50 % or more that failed; missing: runs without a claim.",
    )


def _bins_table(parts: dict[str, Results]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for tier, results in parts.items():
        for agent, name in enumerate(results.agents):
            for each in _claims(results, agent, None).bins:
                if each.runs:
                    share = each.succeeded
                    rows.append((name, tier, each.low, each.high, each.runs, each.claimed, share.value, share.low, share.high))
    return Table(
        "claimed_chances",
        "Claimed and achieved",
        (
            Column("agent", "name"),
            Column("tier"),
            Column("from", "rate"),
            Column("to", "rate"),
            Column("runs", "count"),
            Column("claimed", "rate"),
            Column("success", "rate"),
            Column("low", "rate"),
            Column("high", "rate"),
        ),
        tuple(rows),
        "Runs by claimed chance, over all hint levels: mean claim, and the share that succeeded with its 95 % interval.",
        (),
    )


def _intervals_table(results: Results) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for agent, hint, name, level in cells(results):
        low, high, measured = (
            results.by_cell(values, agent)[hint] for values in (results.claimed_low, results.claimed_high, results.figure_score)
        )
        found = interval_claims(low, high, measured)
        scores = found.covered.value, found.interval_score.value, found.reference, found.skill, found.overclaimed.value
        rows.append((name, level, found.claimed, found.missing, *scores))
    return Table(
        "claimed_intervals",
        "Claimed intervals of figures",
        (
            *_WHO,
            Column("claims", "count"),
            Column("missing", "count"),
            Column("held", "rate", "covered"),
            Column("score", "rate", "interval_score"),
            Column("ref", "rate", "reference"),
            Column("skill", "signed"),
            Column("over", "rate", "overclaimed"),
        ),
        tuple(rows),
        "Runs on scored tasks that left a figure, intervals in units of score. held: share of intervals that hold the measured "
        "one, 0.80 is meant; score: mean width plus ten times the distance by which it was missed, less is better; ref: the best "
        "constant interval; skill: 1 - score / ref; over: share of intervals that lie wholly above.",
    )


def _claimed_scores_table(results: Results) -> Table:
    made = np.flatnonzero(~np.isnan(results.claimed_low))
    rows: list[tuple[Cell, ...]] = []
    for at in made:
        low, high, measured = (float(values[at]) for values in (results.claimed_low, results.claimed_high, results.figure_score))
        who = results.agents[results.agent[at]], results.hints[results.hint[at]], results.tasks[results.task[at]]
        rows.append((*who, low, high, measured, low <= measured <= high))
    columns = (
        Column("low", "rate", "claimed_low"),
        Column("high", "rate", "claimed_high"),
        Column("measured", "rate"),
        Column("held"),
    )
    return Table(
        "claimed_scores", "Claims run by run", (*_WHO, Column("task", "name"), *columns), tuple(rows), "In units of score.", ()
    )


def _claims(results: Results, agent: int, hint: int | None) -> SuccessClaims:
    """Of an agent at a hint level; None: at all, each task with the runs of all levels together."""
    chance, success = (results.by_cell(values, agent) for values in (results.chance, results.success.astype(np.float64)))
    if hint is not None:
        return success_claims(chance[hint], success[hint])
    tasks = len(results.tasks)
    return success_claims(*(values.transpose(1, 0, 2).reshape(tasks, -1) for values in (chance, success)))
