"""Tables in a terminal of 80 columns."""

from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid
from rich.text import Text

from rexbench.report.content import Content
from rexbench.report.table import Cell, Column, Table, shown
from rexbench.text import printable

_LONGEST = 30
"""Rows of a table that a terminal shows; the files hold all."""
_PAIRS = 12
_NARROW = 26


def print_report(content: Content, console: Console) -> None:
    """Every table that a reader wants first; the rest is in the files."""
    total, names = len(content.reading.runs), ", ".join(content.reading.names)
    console.print(
        f"{total} runs in {names}: {len(content.results.agents)} agents, {len(content.results.tasks)} tasks", markup=False
    )
    for note in content.reading.notes:
        console.print(f"note: {note}", markup=False)
    for table in content.tables:
        if table.name == "by_task":
            _print_by_task(table, console)
        elif table.name == "failures":
            print_table(replace(table, rows=tuple(row for row in table.rows if row[0] == "all")), console)
        elif table.name == "frontier":
            print_table(replace(table, rows=tuple(row for row in table.rows if True in row[-2:])), console)
        elif table.name == "comparisons":
            print_table(_most_telling(table), console, _PAIRS)
        elif table.name != "paper_pairs" and (table.name != "faults" or content.results.faults.any()):
            print_table(table, console)
    if content.findings:
        console.print()
    for finding in content.findings:
        console.print(Text(finding))


def print_table(table: Table, console: Console, longest: int = _LONGEST) -> None:
    """One table with its note; wide columns and the rows beyond the first ones are left to the files."""
    if not table.rows:
        return
    chosen = [at for at, column in enumerate(table.columns) if not column.wide]
    grid = _grid(table.title, [table.columns[at] for at in chosen])
    for row in table.rows[:longest]:
        grid.add_row(*(escape(_cut(row[at], table.columns[at])) for at in chosen))
    console.print()
    console.print(grid)
    if len(table.rows) > longest:
        console.print(f"... and {len(table.rows) - longest} more rows in tables/{table.name}.csv", markup=False)
    if table.finding:
        console.print(Text(table.finding))
    if table.note:
        console.print(Text(table.note, style="dim"))


def _print_by_task(table: Table, console: Console) -> None:
    """Turned round: a row for each task, a numbered column for each agent at a hint level, while they fit."""
    names = [f"{row[0]} {row[1]}" for row in table.rows]
    if len(names) > 9:
        console.print(f"\n{table.title}: {len(names)} agents at hint levels do not fit here; see tables/by_task.csv", markup=False)
        return
    grid = _grid(table.title, [Column("task"), *(Column(str(at), "rate") for at in range(1, len(names) + 1))])
    for at, column in enumerate(table.columns[2:], start=2):
        grid.add_row(escape(_cut(column.name, column)), *(shown(row[at], "rate") for row in table.rows))
    console.print()
    console.print(grid)
    console.print(Text(", ".join(f"{at}: {name}" for at, name in enumerate(names, start=1)), style="dim"))


def _most_telling(table: Table) -> Table:
    """Rows in order of evidence, strongest first."""
    at = next(place for place, column in enumerate(table.columns) if column.field == "p_within_tasks")
    rows = sorted(table.rows, key=lambda row: float(str(row[at])))
    return replace(table, rows=tuple(rows))


def _grid(title: str, columns: Sequence[Column]) -> Grid:
    grid = Grid(title=escape(title), title_justify="left", box=None, pad_edge=False, header_style="bold", title_style="bold")
    for column in columns:
        left = column.kind == "text"
        grid.add_column(escape(column.name), justify="left" if left else "right", overflow="ellipsis", no_wrap=True)
    return grid


def _cut(cell: Cell, column: Column) -> str:
    text = printable(shown(cell, column.kind))
    return text if len(text) <= _NARROW else text[: _NARROW - 1] + "…"
