"""A campaign as an undertaking: each run is an agent's step and, after it, a verdict on what it left."""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rexbench.agent.controls import CONTROLS
from rexbench.agent.flags import find_flags
from rexbench.agent.keeping import make_step
from rexbench.agent.step import run_agent
from rexbench.campaign.folder import Campaign, unfinished
from rexbench.campaign.models import model_of
from rexbench.campaign.needs import SLACK_MB, SLACK_MINUTES, evaluation_needs, largest, looked_at_anew
from rexbench.campaign.plan import Plan, RunSpec, plan_runs
from rexbench.campaign.undertaking import Left, Needs, Standing, Step
from rexbench.errors import SystemFault
from rexbench.evaluation.evaluate import combine, evaluate
from rexbench.evaluation.execute import Trial
from rexbench.record.clock import now
from rexbench.record.model import Run, StepFault
from rexbench.task.folder import Task
from rexbench.workbench import Workbench
from rexbench.workspace.capture import Captured


@dataclass(frozen=True)
class CampaignRuns:
    """The runs of a campaign, to be conducted."""

    campaign: Campaign

    @classmethod
    def open(cls, folder: Path) -> "CampaignRuns":
        return cls(Campaign(folder))  # whoever conducts it has looked at the folder

    @cached_property
    def plan(self) -> Plan:
        return self.campaign.plan

    @property
    def folder(self) -> Path:
        return self.campaign.folder

    @property
    def retries(self) -> int:
        return self.plan.retries

    @property
    def budget_usd(self) -> float | None:
        return self.plan.budget_usd

    @contextmanager
    def held(self) -> Iterator[None]:
        with self.campaign.held():
            yield

    def sweep(self) -> None:
        self.campaign.sweep()

    def standing(self) -> Standing:
        planned = plan_runs(self.plan)
        missing = {run.id for run in unfinished(self.campaign, planned)}
        standing = Standing(len(planned), [self._next(run.id) for run in planned if run.id in missing])
        for run in planned:
            found = self.campaign.find_run(run.id) if run.id not in missing else None
            if found:
                standing.finished.append(_left(found))
            standing.usd += self._spent(run.id, found)
        return standing

    def left_by(self, step: Step) -> Left:
        if step.kind == "verdict":
            found = self.campaign.find_run(step.name)
            return _left(found) if found else Left(fault="the evaluation left no record")
        made = self.campaign.agent_step(step.name, step.number)
        if made is None:
            return Left(fault="the attempt left no record")
        if made.outcome == "system_fault":
            return Left(fault=made.detail, usd=made.cost_usd)
        return Left(follows=self._next(step.name), usd=made.cost_usd)

    def again(self, step: Step) -> Step:
        return self._next(step.name)

    def keep_fault(self, step: Step, fault: StepFault) -> None:
        self.campaign.keep_fault(step.name, fault)

    def is_recorded(self, step: Step) -> bool:
        target = self.campaign.run_folder(step.name)
        if not looked_at_anew(self.folder, target):
            return False
        if step.kind == "agent":
            return (self.campaign.attempt_folder(step.name, step.number) / "agent.json").exists()
        return (target / "run.json").exists()

    def needs(self, step: Step, bench: Workbench) -> Needs:
        return self._needs(RunSpec.from_id(step.name), step.kind == "agent", bench)

    def most_needed(self, bench: Workbench) -> Needs:
        runs = [
            RunSpec(agent=agent.name, task=task, hints="none", repetition=1)
            for agent in self.plan.agents
            for task in self.plan.tasks
        ]
        return largest([self._needs(run, is_agent, bench) for run in runs for is_agent in (True, False)])

    def perform(self, step: Step, bench: Workbench) -> None:
        if step.kind == "agent":
            if self.campaign.agent_step(step.name, step.number) is None:
                self._perform_agent(step, bench)
        elif self.campaign.find_run(step.name) is None:
            self._perform_verdict(step, bench)

    def _next(self, run: str) -> Step:
        """Where a run was left: the verdict on its last sound attempt, or a new attempt."""
        attempts = self.campaign.attempts(run)
        last = attempts[-1] if attempts else 0
        made = self.campaign.agent_step(run, last) if last else None
        if made and made.outcome != "system_fault":
            return Step(str(self.folder), run, "verdict", last)
        return Step(str(self.folder), run, "agent", last + 1)

    def _spent(self, run: str, found: Run | None) -> float:
        """What the attempts at a run have cost so far, the one that counts aside."""
        if found and found.attempt == 1:
            return 0.0
        steps = (self.campaign.agent_step(run, attempt) for attempt in self.campaign.attempts(run))
        spent = sum(step.cost_usd or 0.0 for step in steps if step)
        return spent - (found.step.cost_usd or 0.0) if found else spent

    def _needs(self, run: RunSpec, is_agent: bool, bench: Workbench) -> Needs:
        task, spec = self._task(run.task, bench), self.plan.agent(run.agent)
        if is_agent:
            gpus = 0 if spec.agent in CONTROLS else task.spec.limits.gpus
            return Needs(math.ceil(spec.limits.seconds / 60) + SLACK_MINUTES, spec.limits.memory_mb + SLACK_MB, gpus)
        return evaluation_needs(task, len(self.plan.seeds[task.id]))

    def _task(self, name: str, bench: Workbench) -> Task:
        return bench.suite.load(self.plan.address(name))

    def _perform_agent(self, step: Step, bench: Workbench) -> None:
        run = RunSpec.from_id(step.name)
        task, spec = self._task(run.task, bench), self.plan.agent(run.agent)
        model = model_of(spec, task, bench.settings.variables)
        with self.campaign.draft() as draft:
            try:
                made = run_agent(task, run.hints, spec, model, bench, draft)
            except (SystemFault, OSError) as error:
                (draft / "patch.diff").write_bytes(b"")
                made = make_step(task, run.hints, spec, bench, "system_fault", str(error), Captured(b"", ()))
            self.campaign.keep_attempt(step.name, step.number, made, draft)

    def _perform_verdict(self, step: Step, bench: Workbench) -> None:
        run = RunSpec.from_id(step.name)
        task = self._task(run.task, bench)
        made = self.campaign.agent_step(step.name, step.number)
        if made is None:
            raise SystemFault(f"{step.name}: the agent's attempt {step.number} is not on record.")
        attempt = self.campaign.attempt_folder(step.name, step.number)
        patch = self.campaign.patch(step.name, step.number)
        since = time.monotonic()
        verdict = combine(task.id, [evaluate(Trial(task, patch, seed), bench) for seed in self.plan.seeds[task.id]])
        if verdict.outcome == "system_fault":
            raise SystemFault(verdict.first.detail)  # not kept: the conductor tries again, and reports it if that does not help
        first = verdict.first
        for evaluation in verdict.evaluations:
            self.campaign.keep_logs(step.name, evaluation.variant_seed, bench.store.execution_folder(evaluation.execution))
        self.campaign.keep_run(
            Run(
                id=step.name,
                agent=run.agent,
                task=task.id,
                hints=run.hints,
                repetition=run.repetition,
                attempt=step.number,
                step=made,
                outcome=verdict.outcome,
                detail=first.detail,
                execution_success=verdict.execution_success,
                score=verdict.score,
                claim=first.claim,
                file_recall=first.file_recall,
                file_precision=first.file_precision,
                evaluations=verdict.evaluations,
                flags=find_flags(task, patch, made, attempt, verdict.evaluations),
                seconds=round(made.seconds + time.monotonic() - since, 3),
                written_at=now(),
            )
        )


def _left(run: Run) -> Left:
    return Left(outcome=run.outcome, usd=run.step.cost_usd)
