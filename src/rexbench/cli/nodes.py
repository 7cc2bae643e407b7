"""Where the steps of a campaign are, node by node: waiting, under way, done."""

import socket
from collections import Counter

from rexbench.campaign.executors.protocol import Ended, UnderWay

_SHOWN = 12


class Nodes:
    """A tally over the nodes of a cluster; on this machine alone it has nothing to say."""

    def __init__(self) -> None:
        self._here = socket.gethostname()
        self._done: Counter[str] = Counter()
        self._running: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()

    def take(self, under_way: list[UnderWay], ended: Ended | None) -> None:
        """What the executor says now, and the step that has just ended."""
        self._running = Counter(step.where for step in under_way if step.where)
        self._waiting = Counter(step.waits_for for step in under_way if not step.where)
        if ended and ended.where and not ended.fault:
            self._done[ended.where] += 1

    def name(self, ended: Ended) -> str:
        """`on NODE`, where that is not this machine."""
        return "" if ended.where in ("", self._here) else f" on {ended.where}"

    @property
    def running(self) -> int:
        return self._running.total()

    @property
    def waiting(self) -> int:
        """Steps that the cluster has and has not started."""
        return self._waiting.total()

    def lines(self) -> list[str]:
        """A line for each node, the busiest first, and one for what waits in the cluster's queue."""
        names = sorted({*self._running, *self._done}, key=lambda node: (-self._running[node], -self._done[node], node))
        if names == [self._here]:
            names = []
        told = [f"{node}: {self._running[node]} running, {self._done[node]} done" for node in names[:_SHOWN]]
        told += [f"and {len(names) - _SHOWN} more nodes"] if len(names) > _SHOWN else []
        reasons = ", ".join(sorted(filter(None, self._waiting)))
        return [*told, f"{self.waiting} wait in the cluster{f' ({reasons})' if reasons else ''}"] if self.waiting else told
