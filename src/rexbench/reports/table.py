"""A table as data: written as CSV and LaTeX, printed in a terminal, and put into the HTML report, all from the same cells."""

import csv
import io
import math
from dataclasses import dataclass
from typing import Literal

Cell = str | int | float | bool | None
Kind = Literal["name", "text", "count", "rate", "signed", "p", "money", "number"]

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"$<$",
        ">": r"$>$",
    }
)


@dataclass(frozen=True)
class Column:
    """One column."""

    name: str
    """Head in tables for people."""
    kind: Kind = "text"
    """A name may be long; text is short."""
    key: str = ""
    """Head in CSV and JSON; the name if empty."""
    wide: bool = False
    """Left out in a terminal, where 80 columns have to do."""

    @property
    def field(self) -> str:
        return self.key or self.name.replace(" ", "_")

    @property
    def is_text(self) -> bool:
        return self.kind in ("name", "text")


@dataclass(frozen=True)
class Table:
    """Rows under columns, with a title and a note that says how to read them."""

    name: str
    """Also the name of its files."""
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    first: tuple[tuple[Cell, ...], ...] | None = None
    """Rows that are shown where there is little room; None: all, in their order."""

    def records(self) -> list[dict[str, Cell]]:
        """Rows by field, for JSON; what is not known is null."""
        return [{column.field: plain(cell) for column, cell in zip(self.columns, row, strict=True)} for row in self.rows]


def known(cell: Cell) -> float | None:
    """A cell as a number; None where it holds none."""
    return float(cell) if isinstance(cell, int | float) and not math.isnan(cell) else None


def plain(cell: Cell) -> Cell:
    """A cell for machines: ten digits, so that a small p stays one, and nothing for what is not known."""
    if isinstance(cell, float):
        return None if math.isnan(cell) else float(f"{cell:.10g}")
    return cell


def shown(cell: Cell, kind: Kind) -> str:
    """A cell for people."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "-"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return cell
    if kind == "rate":
        return f"{cell:.2f}"
    if kind == "signed":
        return f"{cell + 0.0:+.2f}"
    if kind == "p":
        return "<0.001" if cell < 0.0005 else f"{cell:.3f}"
    if kind == "money":
        return f"{cell:.2f}"
    return str(cell) if isinstance(cell, int) else f"{cell:.3g}" if abs(cell) < 100 else f"{cell:.0f}"


def to_csv(table: Table) -> str:
    """Full precision, one head row."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(column.field for column in table.columns)
    for row in table.rows:
        writer.writerow("" if plain(cell) is None else _no_formula(plain(cell)) for cell in row)
    return out.getvalue()


def to_latex(table: Table) -> str:
    """A booktabs table, caption and label included."""
    aligned = "".join("l" if column.is_text else "r" for column in table.columns)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{table.title.translate(_LATEX)}. {table.note.translate(_LATEX)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{aligned}}}",
        r"\toprule",
        " & ".join(column.name.translate(_LATEX) for column in table.columns) + r" \\",
        r"\midrule",
        *(
            " & ".join(shown(cell, column.kind).translate(_LATEX) for cell, column in zip(row, table.columns, strict=True)) + r" \\"
            for row in table.rows
        ),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _no_formula(cell: Cell) -> Cell:
    """Text that a spreadsheet would run as a formula gets a quote in front: names and exceptions come from agents."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
