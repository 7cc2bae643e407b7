"""The published agents beside the user's, and what the paper could not say about its own."""

from dataclasses import replace
from itertools import chain

import numpy as np

from rexbench.reports.comparisons import count_differing, pair_table
from rexbench.reports.published import HINT_LEVELS, RUNS, SOURCE, published_results
from rexbench.reports.results import Results
from rexbench.reports.table import Cell, Column, Table
from rexbench.stats.arrays import Integers
from rexbench.stats.intervals import estimate_rate
from rexbench.stats.means import headline
from rexbench.stats.power import Design, Model, detectable_difference, power_on_these_tasks

CAVEAT = (
    "The tasks here are re-created: smaller, with other data and other gold values than the published ones. Compare ranks and "
    "shapes (who leads, what hints do, which tasks are hard), not points."
)


def beside_paper_table(results: Results) -> Table:
    """Final success, money and time of every agent, published or here, in order of the mean over the hint levels that both have."""
    published = published_results()
    shared = [level for level in HINT_LEVELS if level in results.hints] or HINT_LEVELS
    rows: list[tuple[float, tuple[Cell, ...]]] = []
    used = [headline(headline(results.means(values))) for values in (results.cost, results.seconds)]
    ours = (
        (name, "here", results.wins[at], results.runs[at], results.hints, (float(used[0][at]), float(used[1][at])))
        for at, name in enumerate(results.agents)
    )
    theirs = (
        (name, "paper", published.wins[at], published.runs[at], HINT_LEVELS, (cost.usd, cost.seconds))
        for at, (name, cost) in enumerate(zip(published.agents, published.costs, strict=True))
    )
    for name, source, wins, runs, levels, spent in chain(ours, theirs):
        found = {level: _rate(wins, runs, levels, level) for level in HINT_LEVELS}
        known = [found[level][0] for level in shared if not np.isnan(found[level][0])]
        mean = float(np.mean(known)) if known else float("nan")
        rows.append((mean, (name, source, *chain.from_iterable(found[level] for level in HINT_LEVELS), *spent)))
    rows.sort(key=lambda row: (np.isnan(row[0]), -row[0], str(row[1][0])))
    columns = chain.from_iterable(
        (
            Column(level, "rate"),
            Column("low", "rate", f"{level}_low", wide=True),
            Column("high", "rate", f"{level}_high", wide=True),
        )
        for level in HINT_LEVELS
    )
    return Table(
        "beside_paper",
        "Beside the published agents",
        (
            Column("place", "count"),
            Column("agent", "name"),
            Column("from"),
            *columns,
            Column("$", "money", "usd_per_run"),
            Column("s", "number", "agent_seconds_per_run"),
        ),
        tuple((place, *row) for place, (_, row) in enumerate(rows, start=1)),
        f"{CAVEAT} $ and s: per run. Published numbers: {SOURCE}.",
    )


def paper_pairs_table() -> Table:
    """The 91 pairs of published agents, over all hint levels."""
    published = published_results()
    pairs = pair_table("paper_pairs", "The published agents compared", published.agents, published.wins, published.runs)
    return replace(pairs, first=())


def paper_findings(pairs: Table) -> list[str]:
    """What the published numbers can bear, in sentences."""
    over_tasks, raw = count_differing(pairs, "p_over_tasks_holm"), count_differing(pairs, "p_over_tasks")
    within = count_differing(pairs, "p_within_tasks_holm")
    least = min(float(str(record["least_possible_p"])) for record in pairs.records())
    design = Design(len(published_results().tasks), RUNS)
    found = detectable_difference(design, Model(), simulations=1000)
    corrected = detectable_difference(design, Model(), alpha=0.05 / len(pairs.rows), simulations=200)
    detect = "no difference at all" if found is None else f"a difference of {100 * found:.0f} points"
    by_chance = power_on_these_tasks(Design(design.tasks, RUNS * len(HINT_LEVELS)), Model(), 0.0)
    best = "none, whatever its size," if corrected is None else f"one of {100 * corrected:.0f} points"
    return [
        f"Of the {len(pairs.rows)} pairs of published agents, {over_tasks} differ at 5 % after Holm if the tasks are taken as a "
        f"sample of tasks ({raw} before correction), and {within} if these very tasks are meant.",
        f"The second count is of these tasks alone: two agents that are equal over all tasks of the kind would differ on such a "
        f"set of {design.tasks} in {by_chance:.0%} of cases before correction (with {RUNS * len(HINT_LEVELS)} runs), since each "
        "has tasks that suit it.",
        f"With so few tasks no pair could: the least p that the published numbers allow is {least:.4f}, and Holm asks for "
        f"{0.05 / len(pairs.rows):.4f}.",
        f"{design.tasks} tasks x {design.runs} runs find {detect} between two agents with power 80 %, and {best} among "
        f"{len(pairs.rows)} pairs.",
    ]


def _rate(wins: Integers, runs: Integers, levels: tuple[str, ...], level: str) -> tuple[float, float, float]:
    if level not in levels:
        return float("nan"), float("nan"), float("nan")
    at = levels.index(level)
    found = estimate_rate(wins[at], runs[at])
    return found.value, found.low, found.high
