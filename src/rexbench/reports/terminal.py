"""Tables in a terminal: whole names and whole numbers, however narrow it is."""

from collections.abc import Sequence
from itertools import groupby

from rich.console import Console
from rich.text import Text

from rexbench.reports.content import Content
from rexbench.reports.table import Cell, Column, Table, shown
from rexbench.text import printable

_LONGEST = 30
"""Rows of a table that a terminal shows; the files hold all."""
_MOST_COLUMNS = 9
"""Agents at hint levels that fit beside each other."""


def print_report(content: Content, console: Console) -> None:
    """Every table that a reader wants first; the rest is in the files."""
    reading = content.reading
    print_line(f"{len(reading.runs)} runs in {', '.join(reading.names)}: {reading.told}", console)
    for note in reading.notes:
        print_line(f"note: {note}", console)
    for section in content.sections:
        for table in section.tables:
            if table.name in ("by_task", "scores_by_task"):
                _print_by_task(table, console)
            else:
                print_table(table, console)
        if section.says:
            console.print()
        for sentence in section.says:
            print_line(sentence, console)
    if content.warning:
        print_line(f"\nwarning: {content.warning}", console, "bold")


def print_table(table: Table, console: Console) -> None:
    """One table with its note; wide columns and the rows beyond the first ones are left to the files."""
    rows = table.rows if table.first is None else table.first
    if not rows:
        return
    print_line(f"\n{table.title}", console, "bold")
    chosen = [at for at, column in enumerate(table.columns) if not column.wide]
    columns = [table.columns[at] for at in chosen]
    _print_grid(columns, [[_cell(row[at], table.columns[at]) for at in chosen] for row in rows[:_LONGEST]], console)
    left = len(table.rows) - min(len(rows), _LONGEST)
    if left:
        print_line(f"... and {left} more rows in tables/{table.name}.csv", console)
    if table.note:
        print_line(table.note, console, "dim")


def print_line(text: str, console: Console, style: str = "") -> None:
    console.print(Text(text, style=style))


def _print_by_task(table: Table, console: Console) -> None:
    """Turned round: a row for each task, a numbered column for each agent at a hint level, while they fit."""
    names = [f"{row[0]} {row[1]}" for row in table.rows]
    if len(names) > _MOST_COLUMNS:
        told = f"{len(names)} agents at hint levels do not fit here; see tables/{table.name}.csv"
        print_line(f"\n{table.title}: {told}", console)
        return
    print_line(f"\n{table.title}", console, "bold")
    heads = [Column("task", "name"), *(Column(str(at), "rate") for at in range(1, len(names) + 1))]
    tasks = enumerate(table.columns[2:], start=2)
    _print_grid(heads, [[column.name, *(shown(row[at], "rate") for row in table.rows)] for at, column in tasks], console)
    print_line(", ".join(f"{at}: {name}" for at, name in enumerate(names, start=1)), console, "dim")


def _print_grid(columns: Sequence[Column], rows: Sequence[Sequence[str]], console: Console) -> None:
    """Columns beside each other; where they do not fit, names stand on lines of their own above what is said of them."""
    widths = [max(len(cell) for cell in (column.name, *(row[at] for row in rows))) for at, column in enumerate(columns)]
    names = [at for at, column in enumerate(columns) if column.kind == "name"]
    fits = sum(widths) + 2 * (len(widths) - 1) <= console.width
    beside = [at for at in range(len(columns)) if fits or at not in names]

    def joined(cells: Sequence[str]) -> str:
        aligned = (cells[at].ljust(widths[at]) if columns[at].is_text else cells[at].rjust(widths[at]) for at in beside)
        return ("" if fits else "  ") + "  ".join(aligned).rstrip()

    console.print(Text(joined([column.name for column in columns]), style="bold"), soft_wrap=True)
    for name, group in groupby(rows, key=lambda row: "" if fits else ", ".join(row[at] for at in names)):
        if name:
            console.print(Text(name), soft_wrap=True)
        for row in group:
            console.print(Text(joined(row)), soft_wrap=True)


def _cell(cell: Cell, column: Column) -> str:
    return printable(shown(cell, column.kind))
