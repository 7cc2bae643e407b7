"""What runs, what is left and how long it has taken: live on a terminal, plain lines elsewhere, nothing for --json."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from rexbench.campaign.conduct import Event, Progress
from rexbench.cli.nodes import Nodes

errors = Console(stderr=True, highlight=False)


class Shown:
    """Done, running, queued, outcomes so far, money, time left. A context manager; `Shown(...)(event)` tells it what happened."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._since = time.monotonic()
        self._before: int | None = None
        self._live: Live | None = None
        self._nodes = Nodes()

    def __enter__(self) -> "Shown":
        if not self._quiet and sys.stderr.isatty():
            self._live = Live(console=errors, transient=True, refresh_per_second=4)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def __call__(self, event: Event) -> None:
        progress, ended = event.progress, event.ended
        self._before = progress.done if self._before is None else self._before
        if self._quiet:
            return
        self._nodes.take(progress.running, ended)
        if self._live:
            steps = [step.label for step in progress.running if step.where]
            lines = [*self._nodes.lines(), *(f"  {label}" for label in steps[:8])]
            self._live.update(Group(Text(self._line(progress)), *(Text(line[:78], style="dim") for line in lines)))
        elif ended:
            what = f"fault: {ended.fault}" if ended.fault else "done"
            print(f"{self._line(progress)} | {ended.step.label}{self._nodes.name(ended)}: {what}", file=sys.stderr, flush=True)

    def _line(self, progress: Progress) -> str:
        seconds = time.monotonic() - self._since
        here = progress.done - (self._before or 0)
        ahead = progress.total - progress.done - len(progress.given_up) - progress.held_back
        left = f", about {seconds / here * ahead:.0f} s left" if here else ""
        outcomes = " ".join(f"{name} {count}" for name, count in sorted(progress.outcomes.items()))
        money = f", ${progress.usd:.2f}" if progress.usd else ""
        under_way = f"{self._nodes.running} running, {progress.queued + self._nodes.waiting} queued"
        return f"[{progress.done}/{progress.total}] {outcomes}{money}  ({seconds:.0f} s{left}; {under_way})"


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
