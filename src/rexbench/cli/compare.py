"""`rexbench compare`: whether two agents differ."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rexbench.cli.options import Json

if TYPE_CHECKING:
    from rexbench.report.results import Results


def compare(
    campaign: Annotated[Path, typer.Argument(metavar="CAMPAIGN", help="Folder of a campaign.")],
    a: Annotated[str, typer.Option("--a", help="One agent, by its name in the campaign.")],
    b: Annotated[str, typer.Option("--b", help="The other.")],
    as_json: Json = False,
) -> None:
    """Say whether two agents differ: paired by task, with the difference, its interval and two tests.

    \b
    rexbench compare my-campaign --a claude-code --b openhands
    """
    from rexbench.cli.output import console, print_json
    from rexbench.errors import RexbenchError
    from rexbench.report.comparisons import TESTS
    from rexbench.report.reading import read_campaigns
    from rexbench.report.results import results_of
    from rexbench.report.table import plain
    from rexbench.stats.paired import holm

    results = results_of(read_campaigns([campaign]))
    one, other = _find(results, a), _find(results, b)
    if one == other:
        raise RexbenchError(f"{a} is both --a and --b; name two agents.")
    found = (_compared(results, one, other, [at]) for at in range(len(results.hints)))
    rows = [row for row in found if row["tasks"]]
    if not rows:
        raise RexbenchError(f"{a} and {b} have no task with runs at the same hint level.")
    if len(rows) > 1:
        for key in ("p_tasks", "p_runs"):
            for row, corrected in zip(rows, holm([row[key] for row in rows]), strict=True):
                row[f"{key}_holm"] = plain(float(corrected))
        rows.append(_compared(results, one, other, list(range(len(results.hints)))))
    if as_json:
        print_json({"first": a, "second": b, "comparisons": rows})
        return
    console.print(f"{a} minus {b}, final success, paired by task", markup=False)
    for row in rows:
        console.print(_sentence(row), markup=False)
    levels = " Holm: corrected for the number of hint levels; all levels together are one test." if len(rows) > 1 else ""
    console.print(f"\n{TESTS}.{levels}", markup=False, style="dim")


def _find(results: "Results", name: str) -> int:
    from rexbench.errors import RexbenchError

    if name not in results.agents:
        raise RexbenchError(f"There is no agent {name!r} in this campaign; there are: {', '.join(results.agents)}.")
    return results.agents.index(name)


def _compared(results: "Results", a: int, b: int, levels: list[int]) -> dict[str, Any]:
    from rexbench.report.table import plain
    from rexbench.stats.effect import effect
    from rexbench.stats.paired import mcnemar_test

    wins, runs = results.wins[:, levels], results.runs[:, levels]
    found = effect(wins[a], runs[a], wins[b], runs[b])
    row = {"hints": results.hints[levels[0]] if len(levels) == 1 else "all"} | {
        key: plain(value) for key, value in asdict(found).items()
    }
    both = (runs[a] > 0) & (runs[b] > 0)
    if both.any() and runs[a][both].max() == runs[b][both].max() == 1 and len(levels) == 1:
        row["p_mcnemar"] = mcnemar_test(wins[a][both] > 0, wins[b][both] > 0)
    return row


def _sentence(row: dict[str, Any]) -> str:
    from rexbench.report.table import shown

    limits = f"{shown(row['low'], 'signed')} to {shown(row['high'], 'signed')}"
    over, within = (
        ", Holm ".join(shown(row[at], "p") for at in (key, f"{key}_holm") if at in row) for key in ("p_tasks", "p_runs")
    )
    tests = f"p tasks {over} (least possible {shown(row['smallest_p'], 'p')}); p runs {within}"
    exact = f"; McNemar {shown(row['p_mcnemar'], 'p')}" if "p_mcnemar" in row else ""
    counts = f"better on {row['better']}, worse on {row['worse']} of {row['tasks']} tasks"
    return f"\n{row['hints']}: {shown(row['difference'], 'signed')}  (95 % interval {limits})\n  {counts}\n  {tests}{exact}"
