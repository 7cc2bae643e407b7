"""Doing an undertaking to its end: what is missing is done, step by step, and nothing else.

The folder is read once at the start; from then on every step that ends says what to look at again. Only faults of ours are
tried again. One bad run never stops the rest.
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from rexbench.campaign.executors.protocol import Ended, Executor, UnderWay
from rexbench.campaign.undertaking import Left, Undertaking
from rexbench.record.clock import now
from rexbench.record.model import StepFault
from rexbench.workbench import Workbench


@dataclass
class Progress:
    """Where an undertaking stands."""

    total: int
    """Runs of a campaign, or trials."""
    done: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    usd: float = 0.0
    """Of all attempts on record, those that ended in a fault of ours too."""
    unpriced: int = 0
    """Finished runs whose cost is not known."""
    given_up: dict[str, str] = field(default_factory=dict)
    """Runs or trials without a verdict, with the fault that stood in the way."""
    held_back: int = 0
    """Runs that were not started because the campaign's budget is used up."""
    running: list[UnderWay] = field(default_factory=list)
    """Steps that the executor has, those that wait for a node included."""
    queued: int = 0

    def take(self, left: Left) -> None:
        self.done += 1
        self.outcomes[str(left.outcome)] = self.outcomes.get(str(left.outcome), 0) + 1
        self.unpriced += left.usd is None


@dataclass(frozen=True)
class Event:
    """Something has happened: a step has ended, or was handed over."""

    progress: Progress
    ended: Ended | None = None

    def __str__(self) -> str:
        progress = self.progress
        outcomes = " ".join(f"{name} {count}" for name, count in sorted(progress.outcomes.items()))
        what = f" {self.ended.step.label}: {self.ended.fault or 'done'}" if self.ended else ""
        return f"[{progress.done}/{progress.total}]{what} {outcomes}".rstrip()


Observe = Callable[[Event], None]


def conduct(
    undertaking: Undertaking, executor: Executor, bench: Workbench, observe: Observe, budget_usd: float | None = None
) -> Progress:
    """Do everything that is missing; returns where it stands at the end. `budget_usd` takes the place of the plan's."""
    with undertaking.held():
        bench.home.sweep()
        undertaking.sweep()
        return _Conductor(undertaking, executor, observe, budget_usd).conduct(bench)


class _Conductor:
    def __init__(self, undertaking: Undertaking, executor: Executor, observe: Observe, budget_usd: float | None) -> None:
        self._undertaking, self._executor, self._observe = undertaking, executor, observe
        self._budget = undertaking.budget_usd if budget_usd is None else budget_usd
        standing = undertaking.standing()
        self._progress = Progress(standing.total, usd=standing.usd)
        for left in standing.finished:
            self._progress.take(left)
            self._progress.usd += left.usd or 0.0
        self._waiting = deque(standing.missing)
        self._faults: dict[tuple[str, str], int] = {}
        self._unknown = any(left.usd is None for left in standing.finished)

    def conduct(self, bench: Workbench) -> Progress:
        if self._waiting:
            self._executor.begin(bench)
            try:
                self._work_off()
            except BaseException as error:
                self._executor.end(error)
                raise
            self._executor.end(None)
        self._tell(None)
        return self._progress

    def _work_off(self) -> None:
        in_flight = 0
        while self._waiting or in_flight:
            while self._waiting and in_flight < self._executor.slots:
                step = self._waiting.popleft()
                if step.kind == "agent" and self._over_budget():
                    self._progress.held_back += 1
                    continue
                self._executor.submit(step, self._undertaking)
                in_flight += 1
            self._tell(None)
            for ended in self._executor.wait() if in_flight else ():  # what was left may all have been held back
                in_flight -= 1
                self._after(ended)
                self._tell(ended)

    def _tell(self, ended: Ended | None) -> None:
        self._progress.running, self._progress.queued = self._executor.running(), len(self._waiting)
        self._observe(Event(self._progress, ended))

    def _over_budget(self) -> bool:
        """An attempt whose cost is not known may have cost anything: where there is a budget, nothing is started after it."""
        return self._budget is not None and (self._unknown or self._progress.usd >= self._budget)

    def _after(self, ended: Ended) -> None:
        if ended.permanent:
            self._progress.given_up[ended.step.name] = ended.fault or ""
            return
        left = self._undertaking.left_by(ended.step)
        if ended.step.kind != "verdict":  # a verdict repeats the cost of its agent's step
            self._progress.usd += left.usd or 0.0
            self._unknown = self._unknown or left.usd is None
        if left.outcome is not None:
            self._progress.take(left)
        elif left.follows is not None:
            self._waiting.appendleft(left.follows)
        else:
            self._again(ended, ended.fault or left.fault or "it left no record")

    def _again(self, ended: Ended, fault: str) -> None:
        step = ended.step
        told = StepFault(kind=step.kind, attempt=step.number, fault=fault, where=ended.where, written_at=now())
        with suppress(OSError):  # a full disk takes no note either; the fault is told at the end all the same
            self._undertaking.keep_fault(step, told)
        which = (step.name, step.kind)
        self._faults[which] = self._faults.get(which, 0) + 1
        if self._faults[which] <= self._undertaking.retries:
            self._waiting.append(self._undertaking.again(step))  # behind the others: what ailed us may have passed by then
        else:
            self._progress.given_up[step.name] = fault
