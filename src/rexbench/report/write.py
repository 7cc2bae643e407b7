"""The files of a report: one HTML file, figures, and every table as CSV and LaTeX."""

from pathlib import Path

from rexbench.errors import RexbenchError
from rexbench.report.content import Content
from rexbench.report.drawing import Drawing, Numbers
from rexbench.report.html import render
from rexbench.report.table import to_csv, to_latex


def begin_report(numbers: Numbers, target: Path, drawing: Drawing) -> None:
    """Make the folders, and have the figures drawn."""
    try:
        (target / "tables").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RexbenchError(f"A report cannot be written to {target}: {error.strerror}; name another folder with --out.") from error
    drawing.start(numbers, target / "figures")


def write_report(content: Content, target: Path, drawing: Drawing) -> list[Path]:
    """Write the rest of a report that was begun; what an earlier report left there is replaced file by file."""
    written = [target / "report.html"]
    written[0].write_text(render(content), encoding="utf-8")
    for table in content.tables:
        for suffix, text in ((".csv", to_csv(table)), (".tex", to_latex(table))):
            written.append(target / "tables" / f"{table.name}{suffix}")
            written[-1].write_text(text, encoding="utf-8")
    return written + drawing.finish()
