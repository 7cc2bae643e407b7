"""One piece of a campaign's work, done in whatever process it was moved to; what it learns is in the campaign's folder after."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rexbench.agent.flags import find_flags
from rexbench.agent.step import AgentSettings, make_step, run_agent
from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import HANDED_IN, AgentSpec, Plan, RunSpec
from rexbench.errors import RexbenchError, SystemFault
from rexbench.evaluation.evaluate import combine, evaluate
from rexbench.evaluation.execute import Bench
from rexbench.gateway.models import Model, find_model, scripted_model
from rexbench.gateway.script import Script
from rexbench.gateway.settings import ScriptedSettings
from rexbench.places import home
from rexbench.record.clock import now
from rexbench.record.model import AgentStep, Run, RunLimits
from rexbench.record.store import Store
from rexbench.sandbox.choose import choose_sandbox
from rexbench.task.folder import HintLevel, Task
from rexbench.workspace.capture import Captured

StepKind = Literal["agent", "evaluation"]


@dataclass(frozen=True)
class Step:
    """A piece of work: an agent's attempt at a run, or the evaluation of what it left."""

    campaign: str
    run: RunSpec
    kind: StepKind
    attempt: int

    @property
    def label(self) -> str:
        return f"{self.run.id} {self.kind}"


def perform_step(step: Step) -> None:
    """Do the work and put it on record; done already, it returns at once."""
    campaign = Campaign(Path(step.campaign))
    plan = campaign.plan
    if step.kind == "agent":
        if campaign.agent_step(step.run.id, step.attempt) is None:
            _perform_agent(campaign, plan, step)
    elif campaign.find_run(step.run.id) is None:
        _perform_evaluation(campaign, plan, step)


def model_of(spec: AgentSpec, task: Task | None) -> Model | None:
    """The model of an agent, scripts resolved against the task's vault."""
    if not spec.model:
        return None
    model = find_model(spec.model, spec.base_url, Path(spec.key_file) if spec.key_file else None, spec.price, spec.wires)
    if task and isinstance(model.provider, ScriptedSettings):
        return scripted_model(spec.model, resolve_script(model.provider.script, task), spec.price)
    return model


def resolve_script(script: Script, task: Task) -> Script:
    """`vault:NAME` in a script's edits becomes the task's own patch of that name."""
    patches = {"gold": task.vault.gold}
    patches |= {f"alternatives/{name}": patch for name, patch in task.vault.alternatives.items()}
    patches |= {f"near_misses/{name}": patch for name, patch in task.vault.near_misses.items()}
    turns = []
    for turn in script.turns:
        wanted = turn.edit.patch if turn.edit and turn.edit.patch else ""
        if turn.edit and wanted.startswith("vault:"):
            name = wanted.removeprefix("vault:").strip()
            if name not in patches:
                raise RexbenchError(f"The vault of {task.id} has no patch {name!r}; it has: {', '.join(patches)}.")
            turn = turn.model_copy(update={"edit": turn.edit.model_copy(update={"patch": patches[name].decode()})})
        turns.append(turn)
    return script.model_copy(update={"turns": tuple(turns)})


def _perform_agent(campaign: Campaign, plan: Plan, step: Step) -> None:
    task = plan.load_task(step.run.task)
    spec = plan.agent(step.run.agent)
    settings = AgentSettings(
        agent=spec.agent,
        model=model_of(spec, task),
        limits=spec.limits,
        condition=spec.condition,
        options=spec.options,
        allow_server_tools=spec.allow_server_tools,
        retry_seconds=spec.retry_seconds,
        stall_seconds=spec.stall_seconds,
    )
    with campaign.draft() as draft:
        sandbox = choose_sandbox(plan.sandbox, plan.unsafe)
        try:
            made = run_agent(task, step.run.hints, settings, sandbox, draft)
        except (SystemFault, OSError) as error:
            (draft / "patch.diff").write_bytes(b"")
            made = make_step(
                task, step.run.hints, settings, plan.sandbox, "system_fault", str(error), Captured(b"", ()), cost_usd=None
            )
        campaign.keep_attempt(step.run.id, step.attempt, made, draft)


def _perform_evaluation(campaign: Campaign, plan: Plan, step: Step) -> None:
    task = plan.load_task(step.run.task)
    bench = Bench(Store(home()), choose_sandbox(plan.sandbox, plan.unsafe))
    made = campaign.agent_step(step.run.id, step.attempt)
    if made is None:
        raise SystemFault(f"{step.run.id}: the agent's attempt {step.attempt} is not on record.")
    attempt = campaign.attempt_folder(step.run.id, step.attempt)
    patch = campaign.patch(step.run.id, step.attempt)
    since = time.monotonic()
    verdict = combine(task.id, [evaluate(task, patch, seed, bench) for seed in plan.seeds[task.id]])
    first = next((found for found in verdict.evaluations if found.outcome == verdict.outcome), verdict.evaluations[0])
    record = Run(
        id=step.run.id,
        agent=step.run.agent,
        task=task.id,
        hints=step.run.hints,
        repetition=step.run.repetition,
        attempt=step.attempt,
        step=made,
        outcome=verdict.outcome,
        detail=first.detail,
        execution_success=verdict.execution_success,
        file_recall=first.file_recall,
        file_precision=first.file_precision,
        evaluations=verdict.evaluations,
        flags=find_flags(task, patch, made, attempt, verdict.evaluations),
        seconds=round(made.seconds + time.monotonic() - since, 3),
        written_at=now(),
    )
    if verdict.outcome == "system_fault":
        raise SystemFault(first.detail)  # not kept: the conductor tries again, and reports it if that does not help
    campaign.keep_run(record)


def handed_in_step(task: Task, hints: HintLevel, patch: bytes, sandbox: str) -> AgentStep:
    """The record of a step that was made elsewhere: the patch, and nothing that was measured."""
    settings = AgentSettings(HANDED_IN, None, RunLimits(seconds=0))
    return make_step(task, hints, settings, sandbox, "finished", "", Captured(patch, ()), cost_usd=None)
