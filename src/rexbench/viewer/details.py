"""One run as its page shows it, and the figures of a campaign, in the wording and the drawing of the report."""

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

from rexbench.errors import RexbenchError
from rexbench.record.curve import read_curve
from rexbench.record.model import AgentStep, Run
from rexbench.reports.figures.curves import draw_curves
from rexbench.reports.figures.rows import draw_by_task, draw_outcomes, draw_scores_by_task
from rexbench.reports.reading import ReportedRun
from rexbench.reports.run_details import read_run_files, run_detail
from rexbench.reports.section import Figure
from rexbench.reports.shortening import Shown, shortened
from rexbench.reports.table import Cell, Column, Table
from rexbench.task.folder import HINT_LEVELS
from rexbench.viewer.listing import Line, Listing

_ROOM = 1_000_000
"""Characters of patch and logs in a page; the files are offered as they are beside it."""
_WHO = (Column("agent", "name"), Column("hints"))
_MAP_NOTE = "A cell leads to its runs. Controls are left out."


def run_page(listing: Listing, name: str) -> dict[str, Any]:
    """All of a run but its turns; raises where there is nothing on record."""
    campaign = listing.campaign
    found, attempts = campaign.find_run(name), campaign.attempts(name)
    attempt = found.attempt if found else attempts[-1] if attempts else 0
    step = found.step if found else campaign.agent_step(name, attempt) if attempt else None
    line = listing.lines.get(name, Line("waiting"))
    page: dict[str, Any] = {
        "outcome": found.outcome if found else line.outcome,
        "detail": found.detail if found else "",
        "folder": str(campaign.run_folder(name)),
        "attempt": attempt,
        "attempts": attempts,
        "usd": step.cost_usd if step else None,
        "seconds": step.seconds if step else None,
        "faults": [
            f"{fault.kind}, attempt {fault.attempt}: {fault.fault} {fault.where}".strip() for fault in campaign.faults(name)
        ],
        "is_gold": bool(step and step.agent == "gold"),
        "claim": _claim(found) if found else [],
    }
    if found:
        entry = ReportedRun(found.agent, found, campaign.attempt_folder(name, attempt))
        files = read_run_files(entry, _ROOM, with_patches=True, with_trajectory=False)
        return run_detail(entry, files, entry.attempt, with_patches=True) | page
    facts = [["agent ended", f"{step.outcome} {step.detail}".strip()], ["model", step.model or "none"]] if step else []
    return {"facts": facts, "flags": [], "evaluations": [], "patch": _unjudged_patch(listing, name, attempt, step)} | page


def curve_figure(listing: Listing, name: str) -> Figure | None:
    """Score over time, where the work on the way was judged."""
    try:
        points = [point for point in read_curve(listing.campaign.run_folder(name)) if point.score is not None]
    except (OSError, ValueError, TypeError):
        return None
    if not points:
        return None
    agent, _, hints, _ = name.split("/")
    columns = (*_WHO, *(Column(key) for key in ("minutes", "score", "low", "high", "runs")))
    rows = tuple((agent, hints, f"{point.minutes:g}", point.score, None, None, 1) for point in points)
    table = Table("score_over_time", "Score over time", columns, rows, "")
    return Figure("score_over_time", lambda width: draw_curves(table, width), note="Score by minutes; the final patch last.")


def figures(listing: Listing) -> list[Figure]:
    """Who succeeds where, with cells that lead to runs, and how runs end; controls compete with nobody."""
    agents = [name for name in listing.agents if name not in listing.controls]
    finished = [(run.split("/"), line) for run, line in listing.lines.items() if line.is_finished]
    shown = [_Shown(name[0], name[1], name[2], line) for name, line in finished if name[0] in agents]
    scored = listing.scored
    made = []
    if by_task := _map(agents, [run for run in shown if run.task not in scored], lambda line: float(line.outcome == "success")):
        note = f"Per cent of runs that succeed. {_MAP_NOTE}"
        made.append(Figure("by_task", lambda width: draw_by_task(by_task, width, linked=True), note=note))
    if by_score := _map(agents, [run for run in shown if run.task in scored], lambda line: line.score or 0.0):
        note = f"Mean score; 0 is the baseline, 1 is gold. {_MAP_NOTE}"
        made.append(Figure("scores_by_task", lambda width: draw_scores_by_task(by_score, width, linked=True), note=note))
    if shown:
        counted = {agent: Counter(run.line.outcome for run in shown if run.agent == agent) for agent in agents}
        made.append(Figure("outcomes", lambda width: draw_outcomes(counted, width), note="Runs of each agent, by how they ended."))
    return made


class _Shown(NamedTuple):
    agent: str
    task: str
    hints: str
    line: Line


def _map(agents: list[str], runs: list[_Shown], value: Callable[[Line], float]) -> Table | None:
    """Mean values by agent, hint level and task; None where there are none."""
    values: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for run in runs:
        values[run.agent, run.hints, run.task].append(value(run.line))
    tasks = list(dict.fromkeys(run.task for run in runs))
    rows: list[tuple[Cell, ...]] = [
        (agent, hints, *(sum(own) / len(own) if (own := values.get((agent, hints, task))) else None for task in tasks))
        for agent in agents
        for hints in HINT_LEVELS
        if any((agent, hints, task) in values for task in tasks)
    ]
    return Table("by_task", "", (*_WHO, *(Column(task, "rate", task) for task in tasks)), tuple(rows), "") if rows else None


def _claim(run: Run) -> list[list[str]]:
    """What the agent said of its work beside what was measured."""
    claim = run.claim
    if claim is None:
        return []
    if claim.defect:
        return [["claim", f"cannot be read: {claim.defect}"]]
    told = []
    if claim.success is not None:
        told.append(
            [
                "success",
                f"claimed with a chance of {claim.success:.0%}; the run is {'' if run.outcome == 'success' else 'not '}a success",
            ]
        )
    if claim.figure is not None:
        low, high = claim.figure
        measured = [made.figure.value for made in run.evaluations if made.figure]
        inside = sum(low <= value <= high for value in measured)
        result = ", ".join(f"{value:.6g}" for value in measured) or "nothing"
        told.append(["figure", f"claimed from {low:.6g} to {high:.6g}; measured {result} ({inside} of {len(measured)} inside)"])
    return told


def _unjudged_patch(listing: Listing, name: str, attempt: int, step: AgentStep | None) -> Shown | None:
    if step is None or step.agent == "gold":
        return None
    try:
        return shortened(listing.campaign.patch(name, attempt).decode(errors="replace"), _ROOM)
    except RexbenchError:
        return ""
