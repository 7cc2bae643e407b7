"""What a step may need of a machine at most, so that no cluster's limit ends it before its own does."""

import math
from dataclasses import dataclass
from pathlib import Path

from rexbench.agent.controls import CONTROLS
from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import RunSpec
from rexbench.campaign.steps import Step, StepKind

SLACK_MINUTES = 10
"""For what stands around an agent or an experiment: workspace, gateway, waiting for live gold's lock, slow disks."""
SLACK_MB = 1024
"""For our own process beside the sandbox."""


@dataclass(frozen=True)
class Needs:
    """An upper bound."""

    minutes: int
    memory_mb: int
    gpus: int = 0


def needs_of(step: Step) -> Needs:
    """From the limits of the agent, or of the task's experiment: every variant, with live gold's own run beside it."""
    plan = Campaign(Path(step.campaign)).plan
    task = plan.load_task(step.run.task)
    if step.kind == "agent":
        spec = plan.agent(step.run.agent)
        return Needs(math.ceil(spec.time_limit / 60) + SLACK_MINUTES, spec.memory_mb + SLACK_MB, gpus_of(step))
    seconds = 2 * len(plan.seeds[task.id]) * task.spec.limits.seconds
    return Needs(math.ceil(seconds / 60) + SLACK_MINUTES, task.spec.limits.memory_mb + SLACK_MB, gpus_of(step))


def gpus_of(step: Step) -> int:
    """GPUs that a step's sandbox needs for itself; nothing for the steps that run no program."""
    plan = Campaign(Path(step.campaign)).plan
    if step.kind == "agent" and plan.agent(step.run.agent).agent in CONTROLS:
        return 0
    return plan.load_task(step.run.task).spec.limits.gpus


def most_needed(campaign: Path) -> Needs:
    """What the most demanding step of a campaign may need."""
    plan = Campaign(campaign).plan
    runs = [RunSpec(agent=agent.name, task=task, hints=plan.hints[0], repetition=1) for agent in plan.agents for task in plan.tasks]
    kinds: tuple[StepKind, ...] = ("agent", "evaluation")
    needed = [needs_of(Step(str(campaign), run, kind, 1)) for run in runs for kind in kinds]
    return Needs(*(max(getattr(needs, name) for needs in needed) for name in ("minutes", "memory_mb", "gpus")))
