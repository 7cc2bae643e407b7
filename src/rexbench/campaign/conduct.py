"""Running a campaign to its end: what is missing is done, step by step, and nothing else.

The folder is read once at the start; from then on every step that ends says which run to look at again. Only faults of ours are
tried again. One bad run never stops the rest.
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from rexbench.campaign.executors.protocol import Ended, Executor, UnderWay
from rexbench.campaign.folder import Campaign, unfinished
from rexbench.campaign.plan import RunSpec, plan_runs
from rexbench.campaign.steps import Step
from rexbench.record.clock import now
from rexbench.record.model import Run, StepFault


@dataclass
class Progress:
    """Where a campaign stands."""

    total: int
    done: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    usd: float = 0.0
    """Of all attempts on record, those that ended in a fault of ours too."""
    unpriced: int = 0
    """Finished runs whose cost is not known."""
    given_up: dict[str, str] = field(default_factory=dict)
    """Runs without a verdict, with the fault that stood in the way."""
    held_back: int = 0
    """Runs that were not started because the campaign's budget is used up."""
    running: list[UnderWay] = field(default_factory=list)
    """Steps that the executor has, those that wait for a node included."""
    queued: int = 0

    def take(self, run: Run) -> None:
        self.done += 1
        self.outcomes[run.outcome] = self.outcomes.get(run.outcome, 0) + 1
        if run.step.cost_usd is None:
            self.unpriced += 1


Observe = Callable[[Progress, Ended | None], None]


def conduct(campaign: Campaign, executor: Executor, observe: Observe, budget_usd: float | None = None) -> Progress:
    """Do everything that is missing; returns where the campaign stands at the end. `budget_usd` takes the place of the plan's."""
    with campaign.held():
        campaign.sweep()
        return _Conductor(campaign, executor, observe, budget_usd).conduct()


class _Conductor:
    def __init__(self, campaign: Campaign, executor: Executor, observe: Observe, budget_usd: float | None) -> None:
        self._campaign, self._executor, self._observe = campaign, executor, observe
        self._plan = campaign.plan
        self._budget = self._plan.budget_usd if budget_usd is None else budget_usd
        planned = plan_runs(self._plan)
        self._progress = Progress(len(planned))
        missing = {run.id for run in unfinished(campaign, planned)}
        for run in planned:
            found = campaign.find_run(run.id) if run.id not in missing else None
            if found:
                self._progress.take(found)
            self._progress.usd += self._spent(run, found)
        self._waiting = deque(self._next_step(run) for run in planned if run.id in missing)
        self._evaluation_faults: dict[str, int] = {}
        self._agent_faults: dict[str, int] = {}

    def conduct(self) -> Progress:
        in_flight = 0
        with self._executor as executor:
            while self._waiting or in_flight:
                while self._waiting and in_flight < executor.slots:
                    step = self._waiting.popleft()
                    if step.kind == "agent" and self._over_budget():
                        self._progress.held_back += 1
                        continue
                    executor.submit(step)
                    in_flight += 1
                self._tell(None)
                for ended in executor.wait():
                    in_flight -= 1
                    self._after(ended)
                    self._tell(ended)
        self._tell(None)
        return self._progress

    def _tell(self, ended: Ended | None) -> None:
        self._progress.running, self._progress.queued = self._executor.running(), len(self._waiting)
        self._observe(self._progress, ended)

    def _over_budget(self) -> bool:
        return self._budget is not None and self._progress.usd >= self._budget

    def _spent(self, run: RunSpec, found: Run | None) -> float:
        """What the attempts at a run have cost so far."""
        if found and found.attempt == 1:
            return found.step.cost_usd or 0.0
        steps = (self._campaign.agent_step(run.id, attempt) for attempt in self._campaign.attempts(run.id))
        return sum(step.cost_usd or 0.0 for step in steps if step)

    def _next_step(self, run: RunSpec) -> Step:
        """Where a run was left: the evaluation of its last sound attempt, or a new attempt."""
        attempts = self._campaign.attempts(run.id)
        last = attempts[-1] if attempts else 0
        step = self._campaign.agent_step(run.id, last) if last else None
        folder = str(self._campaign.folder)
        if step and step.outcome != "system_fault":
            return Step(folder, run, "evaluation", last)
        return Step(folder, run, "agent", last + 1)

    def _after(self, ended: Ended) -> None:
        run = ended.step.run
        if ended.permanent:
            self._progress.given_up[run.id] = ended.fault or ""
            return
        if ended.step.kind == "evaluation":
            found = self._campaign.find_run(run.id)
            if found:
                self._progress.take(found)
            else:
                self._again(ended, self._evaluation_faults, ended.fault or "the evaluation left no record")
            return
        step = self._campaign.agent_step(run.id, ended.step.attempt)
        self._progress.usd += (step.cost_usd or 0.0) if step else 0.0
        if step and step.outcome != "system_fault":
            self._waiting.appendleft(self._next_step(run))
        else:
            self._again(ended, self._agent_faults, ended.fault or (step.detail if step else "the attempt left no record"))

    def _again(self, ended: Ended, counted: dict[str, int], fault: str) -> None:
        run = ended.step.run
        told = StepFault(kind=ended.step.kind, attempt=ended.step.attempt, fault=fault, where=ended.where, written_at=now())
        with suppress(OSError):  # a full disk takes no note either; the fault is told at the end all the same
            self._campaign.keep_fault(run.id, told)
        counted[run.id] = counted.get(run.id, 0) + 1
        if counted[run.id] <= self._plan.retries:
            self._waiting.append(self._next_step(run))  # behind the others: what ailed us may have passed by then
        else:
            self._progress.given_up[run.id] = fault
