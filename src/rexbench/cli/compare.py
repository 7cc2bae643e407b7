"""`rexbench compare`: whether two agents differ."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rexbench.cli.options import Json

if TYPE_CHECKING:
    from rexbench.reports.results import Results
    from rexbench.stats.effect import Effect


def compare(
    campaign: Annotated[Path, typer.Argument(metavar="CAMPAIGN", help="Folder of a campaign.")],
    a: Annotated[str, typer.Option("--a", help="One agent, by its name in the campaign.")],
    b: Annotated[str, typer.Option("--b", help="The other.")],
    as_json: Json = False,
) -> None:
    """Say whether two agents differ: paired by task, with the difference, its interval and two tests.

    Tasks that are scored are compared on scores, all others on success, and never both together.

    \b
    rexbench compare my-campaign --a claude-code --b openhands
    """
    from rexbench.cli.output import console, print_json
    from rexbench.errors import RexbenchError
    from rexbench.reports.comparisons import TESTS
    from rexbench.reports.reading import read_campaigns
    from rexbench.reports.results import results_of

    reading = read_campaigns([campaign])
    one, other = _find(reading.agents, a), _find(reading.agents, b)
    if one == other:
        raise RexbenchError(f"{a} is both --a and --b; name two agents.")
    tiers = {"success": [task for task in reading.tasks if task not in reading.scored], "score": reading.scored}
    found = {
        measure: rows
        for measure, tasks in tiers.items()
        if (part := reading.part(tasks=tasks)).runs and (rows := _rows(results_of(part), measure, one, other))
    }
    if not found:
        raise RexbenchError(f"{a} and {b} have no task with runs at the same hint level.")
    if as_json:
        print_json({"first": a, "second": b, "comparisons": [row for rows in found.values() for row in rows]})
        return
    for at, (measure, rows) in enumerate(found.items()):
        told = "final success" if measure == "success" else "score on scored tasks"
        console.print(f"{chr(10) * (at > 0)}{a} minus {b}, {told}, paired by task", markup=False)
        for row in rows:
            console.print(_sentence(row), markup=False)
    several = any(len(rows) > 1 for rows in found.values())
    levels = " Holm: corrected for the number of hint levels; all levels together are one test." if several else ""
    console.print(f"\n{TESTS}.{levels}", markup=False, style="dim")


def _rows(results: "Results", measure: str, a: int, b: int) -> list[dict[str, Any]]:
    """A row for each hint level that both ran and, where there are several, one for all together."""
    from rexbench.reports.table import plain
    from rexbench.stats.paired import holm

    compared = _compared if measure == "success" else _compared_scores
    levels = range(len(results.hints))
    rows = [row for at in levels if (row := {"measure": measure} | compared(results, a, b, [at]))["tasks"]]
    if len(rows) > 1:
        for key in ("p_tasks", "p_runs"):
            for row, corrected in zip(rows, holm([row[key] for row in rows]), strict=True):
                row[f"{key}_holm"] = plain(float(corrected))
        rows.append({"measure": measure} | compared(results, a, b, list(levels)))
    return rows


def _compared_scores(results: "Results", a: int, b: int, levels: list[int]) -> dict[str, Any]:
    from rexbench.stats.effect import scored_effect

    first, second = (results.by_cell(results.score, agent)[levels] for agent in (a, b))
    return _row(results, levels, scored_effect(first, second))


def _row(results: "Results", levels: list[int], found: "Effect") -> dict[str, Any]:
    from rexbench.reports.table import plain

    told = {key: plain(value) for key, value in asdict(found).items()}
    return {"hints": results.hints[levels[0]] if len(levels) == 1 else "all"} | told


def _find(agents: tuple[str, ...], name: str) -> int:
    from rexbench.errors import RexbenchError

    if name not in agents:
        raise RexbenchError(f"There is no agent {name!r} in this campaign; there are: {', '.join(agents)}.")
    return agents.index(name)


def _compared(results: "Results", a: int, b: int, levels: list[int]) -> dict[str, Any]:
    from rexbench.stats.effect import effect
    from rexbench.stats.paired import mcnemar_test

    wins, runs = results.wins[:, levels], results.runs[:, levels]
    row = _row(results, levels, effect(wins[a], runs[a], wins[b], runs[b]))
    both = (runs[a] > 0) & (runs[b] > 0)
    if both.any() and runs[a][both].max() == runs[b][both].max() == 1 and len(levels) == 1:
        row["p_mcnemar"] = mcnemar_test(wins[a][both] > 0, wins[b][both] > 0)
    return row


def _sentence(row: dict[str, Any]) -> str:
    from rexbench.reports.table import shown

    limits = f"{shown(row['low'], 'signed')} to {shown(row['high'], 'signed')}"
    over, within = (
        ", Holm ".join(shown(row[at], "p") for at in (key, f"{key}_holm") if at in row) for key in ("p_tasks", "p_runs")
    )
    tests = f"p tasks {over} (least possible {shown(row['smallest_p'], 'p')}); p runs {within}"
    exact = f"; McNemar {shown(row['p_mcnemar'], 'p')}" if "p_mcnemar" in row else ""
    counts = f"better on {row['better']}, worse on {row['worse']} of {row['tasks']} tasks"
    return f"\n{row['hints']}: {shown(row['difference'], 'signed')}  (95 % interval {limits})\n  {counts}\n  {tests}{exact}"
