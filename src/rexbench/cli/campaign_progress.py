"""Where a campaign stands while it runs: live on a terminal, plain lines elsewhere, nothing for --json."""

import sys
import time

from rich.console import Group
from rich.live import Live
from rich.text import Text

from rexbench.campaign.conduct import Progress
from rexbench.campaign.executors.protocol import Ended
from rexbench.cli.nodes import Nodes
from rexbench.cli.progress import errors


class CampaignProgress:
    """Done, running, queued, outcomes so far, money, time left: live on a terminal, plain lines elsewhere."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._since = time.monotonic()
        self._before: int | None = None
        self._live: Live | None = None
        self._nodes = Nodes()

    def __enter__(self) -> "CampaignProgress":
        if not self._quiet and sys.stderr.isatty():
            self._live = Live(console=errors, transient=True, refresh_per_second=4)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def observe(self, progress: Progress, ended: Ended | None) -> None:
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
