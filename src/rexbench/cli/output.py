"""Printing: tables for people at 80 columns, JSON for machines."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rexbench.evaluation.evaluate import Verdict
    from rexbench.record.model import Evaluation, FigureVerdict, MetricVerdict
    from rexbench.task.lint import Finding

console = Console(highlight=False)


def print_json(value: Any) -> None:
    """One JSON value on standard output."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> None:
    """A plain table; columns named in `right` are aligned to the right. No word is ever broken: where the terminal is too narrow
    for that, each row becomes a small list."""
    widths = _widths([[name, *(Text.from_markup(row[at]).plain for row in rows)] for at, name in enumerate(columns)])
    if widths is None:
        _print_lists(title, columns, rows)
        return
    table = Table(
        title=title, title_justify="left", box=None, pad_edge=False, header_style="bold", title_style="bold", padding=(0, 1)
    )
    for column, width in zip(columns, widths, strict=True):
        table.add_column(column, justify="right" if column in right else "left", overflow="fold", width=width)
    for row in rows:
        table.add_row(*row)
    console.print(table)


def _widths(columns: list[list[str]]) -> list[int] | None:
    """A width for each column so that all fit and no word is broken; None where that cannot be."""
    least = [max(len(word) for cell in cells for word in cell.split() or [""]) for cells in columns]
    widths = [max(len(cell) for cell in cells) for cells in columns]
    room = console.width - 2 * len(columns)
    while sum(widths) > room:
        widest = max((at for at in range(len(widths)) if widths[at] > least[at]), key=lambda at: widths[at], default=None)
        if widest is None:
            return None
        widths[widest] -= 1
    return widths


def _print_lists(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if title:
        console.print(title, style="bold")
    for row in rows:
        console.print(row[0], soft_wrap=True)
        for column, cell in zip(columns[1:], row[1:], strict=True):
            if cell:
                console.print(f"  {column}: {cell}" if column else f"  {cell}", soft_wrap=True)


def print_findings(findings: "Sequence[Finding]") -> None:
    """What lint found, a line each."""
    for finding in findings:
        colour = "red" if finding.level == "error" else "yellow"
        told = escape(f"{finding.where}: {finding.what}")
        console.print(f"[{colour}]{finding.level}[/{colour}] {told}", soft_wrap=True)


def outcome_text(outcome: str) -> str:
    """An outcome, coloured for a terminal."""
    return f"[green]{outcome}[/green]" if outcome == "success" else f"[red]{outcome}[/red]"


def metric_rows(evaluation: "Evaluation") -> list[list[str]]:
    """A row per metric: value, gold's, the accepted interval, and whether it lies inside."""
    return [
        [metric.name, _number(metric.value), _number(metric.gold), _interval(metric), "yes" if metric.accepted else "no"]
        for metric in evaluation.metrics
    ]


def verdict_json(verdict: "Verdict", folders: Sequence[str] = ()) -> dict[str, Any]:
    """A verdict as plain data, with where each evaluation's logs are."""
    logs = folders or [""] * len(verdict.evaluations)
    rows = [evaluation.model_dump() | {"logs": folder} for evaluation, folder in zip(verdict.evaluations, logs, strict=True)]
    told = {"task": verdict.task, "outcome": verdict.outcome, "score": verdict.score}
    return told | {"execution_success": verdict.execution_success, "evaluations": rows}


def print_verdict(verdict: "Verdict", folders: Sequence[str]) -> None:
    """A verdict for people: each evaluation with its metrics beside live gold's, and where its logs are."""
    console.print(f"{verdict.task}: {outcome_text(verdict.outcome)}")
    for evaluation, folder in zip(verdict.evaluations, folders, strict=True):
        print_evaluation(evaluation, folder)


def print_evaluation(evaluation: "Evaluation", folder: str) -> None:
    """One evaluation, with where its logs are if that is known."""
    console.print(f"\nvariant {evaluation.variant_seed}: {outcome_text(evaluation.outcome)}  ({evaluation.seconds:.1f} s)")
    if evaluation.detail:
        console.print(f"  {evaluation.detail}", markup=False)
    if evaluation.exception:
        console.print(f"  {evaluation.exception} at {evaluation.frame or 'an unknown place'}", markup=False)
    if evaluation.metrics:
        columns = ["metric", "value", "live gold", "accepted", "inside"]
        print_table("", columns, metric_rows(evaluation), right=["value", "live gold"])
    if evaluation.figure:
        _print_figure(evaluation.figure)
    for complaint in evaluation.broken_guards:
        console.print(f"  no longer works: {complaint}", markup=False)
    for table in evaluation.tables:
        console.print(f"  {table.path}: {table.agreeing} of {table.rows} rows are gold's", markup=False)
        for difference in table.differences:
            console.print(f"    {difference}", markup=False)
    if evaluation.landmarks:
        held = ", ".join(f"{name} {'yes' if held else 'no'}" for name, held in evaluation.landmarks.items())
        console.print(f"  landmarks: {held}")
    files = f"file recall {evaluation.file_recall:.2f}, precision {evaluation.file_precision:.2f}"
    console.print(f"  {files}, {evaluation.lines_changed} lines changed")
    if folder:
        console.print(f"  logs: {folder}", soft_wrap=True)


def _print_figure(figure: "FigureVerdict") -> None:
    ceiling = "" if figure.ceiling is None else f", ceiling {figure.ceiling:.6g} ({figure.share:.0%} of the way)"
    console.print(f"  {figure.name} {figure.value:.6g}: base {figure.base:.6g}, gold {figure.gold:.6g}{ceiling}")
    console.print(f"  score {figure.score:.3f}; a success from {figure.accepted_from:.3f} on")
    if figure.strata:
        strata = ", ".join(f"{name} {value:.2f}" for name, value in figure.strata.items())
        console.print(f"  by stratum: {strata}")


def _interval(metric: "MetricVerdict") -> str:
    if metric.low is None or metric.high is None:
        return "equal"
    if metric.kind == "float":
        return "1e-6 relative"
    return f"{metric.low:.4f} to {metric.high:.4f}"


def _number(value: int | float | str) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)[:20]
