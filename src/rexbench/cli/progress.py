"""What runs, what is left and how long it has taken: a live line on a terminal, plain lines elsewhere, nothing for --json."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

errors = Console(stderr=True, highlight=False)


class Steps:
    """Progress over a known number of steps."""

    def __init__(self, title: str, total: int, quiet: bool) -> None:
        self._title, self._total, self._quiet = title, total, quiet
        self._done = 0
        self._since = time.monotonic()
        self._running: list[str] = []
        self._bar: Progress | None = None

    def __enter__(self) -> "Steps":
        if not self._quiet and sys.stderr.isatty():
            columns = (
                TextColumn("{task.description}"),
                BarColumn(20),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
            )
            self._bar = Progress(*columns, console=errors, transient=True)
            self._bar.start()
            self._row = self._bar.add_task(self._title, total=self._total)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar:
            self._bar.stop()

    def started(self, name: str) -> None:
        """A step begins."""
        self._running.append(name)
        if self._bar:
            self._bar.update(self._row, description=self._shown())

    def done(self, name: str, result: str) -> None:
        """A step has ended, with this to say."""
        if name in self._running:
            self._running.remove(name)
        self._done += 1
        if self._bar:
            self._bar.update(self._row, advance=1, description=self._shown())
        elif not self._quiet:
            seconds = time.monotonic() - self._since
            left = seconds / self._done * (self._total - self._done)
            print(
                f"[{self._done}/{self._total}] {name}: {result}  ({seconds:.0f} s, about {left:.0f} s left)",
                file=sys.stderr,
                flush=True,
            )

    def _shown(self) -> str:
        return f"{self._title}: {', '.join(self._running[-2:])}"[:44]


@contextmanager
def one_step(what: str, quiet: bool) -> Iterator[None]:
    """Say what is being done once it takes longer than a moment, and how long it took in the end."""
    since = time.monotonic()
    told = threading.Timer(1, lambda: print(f"{what} ...", file=sys.stderr, flush=True))
    if not quiet:
        told.start()
    try:
        yield
    finally:
        told.cancel()
    if not quiet and time.monotonic() - since > 1:
        print(f"{what}: done in {time.monotonic() - since:.0f} s", file=sys.stderr, flush=True)
