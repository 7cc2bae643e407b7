"""Figures in a process of their own: loading matplotlib and drawing take longer than all the rest of a report.

Start it first; it loads while the campaign is read. It is handed finished tables and sees no record.
"""

from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from rexbench.report.table import Table, find_table
from rexbench.workers import Workers


@dataclass(frozen=True)
class Numbers:
    """What figures are drawn from."""

    agents: tuple[str, ...]
    hints: tuple[str, ...]
    tables: tuple[Table, ...]

    def table(self, name: str) -> Table | None:
        return find_table(self.tables, name)


_Job = tuple[Numbers, Path] | None
"""None: only load what drawing needs."""


class Drawing:
    """A context in which figures are drawn in the background."""

    def __init__(self) -> None:
        self._workers: Workers[_Job, list[Path]] = Workers(_draw, 1)

    def __enter__(self) -> "Drawing":
        self._workers.__enter__()
        self._workers.submit(None)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._workers.__exit__(kind, error, trace)

    def start(self, numbers: Numbers, folder: Path) -> None:
        """Begin; returns at once."""
        self._workers.submit((numbers, folder))

    def finish(self) -> list[Path]:
        """Wait for what was begun; the files that it wrote."""
        written: list[Path] = []
        while self._workers.busy:
            for _, ended in self._workers.wait():
                written += ended.result()
        return written


def _draw(job: _Job) -> list[Path]:
    from rexbench.report.figures import write_figures

    return write_figures(*job) if job else []
