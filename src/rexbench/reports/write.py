"""The files of a report: one HTML file, its figures, and every table as CSV and LaTeX."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rexbench.errors import RexbenchError
from rexbench.reports.content import Content, make_content
from rexbench.reports.difficulty import GoldSize
from rexbench.reports.figures.svg import WIDE
from rexbench.reports.html import render
from rexbench.reports.table import to_csv, to_latex


@dataclass(frozen=True)
class Report:
    """A report that was made."""

    content: Content
    page: Path
    files: tuple[Path, ...]
    """All of them, the page first."""


def make_report(
    folders: Sequence[Path],
    out: Path | None = None,
    with_paper: bool = False,
    without_patches: bool = False,
    gold_size: GoldSize | None = None,
) -> Report:
    """Turn campaigns into a report in `out`, by default in the first one's own folder."""
    target = out or folders[0] / "report"
    content = make_content(folders, with_paper, without_patches, gold_size)
    return Report(content, target / "report.html", tuple(write_report(content, target)))


def write_report(content: Content, target: Path) -> list[Path]:
    """Write the files; what an earlier report left there is replaced file by file."""
    try:
        for folder in ("figures", "tables"):
            (target / folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RexbenchError(f"A report cannot be written to {target}: {error.strerror}; name another folder with --out.") from error
    texts = {"report.html": render(content, target)}
    texts |= {f"figures/{figure.name}.svg": figure.draw(WIDE).file() for part in content.sections for figure in part.figures}
    for table in content.tables:
        texts |= {f"tables/{table.name}.csv": to_csv(table), f"tables/{table.name}.tex": to_latex(table)}
    for name, text in texts.items():
        (target / name).write_text(text, encoding="utf-8")
    return [target / name for name in texts]
