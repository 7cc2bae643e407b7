"""Patches from elsewhere as a campaign: their agents' steps are on record as handed in, and only the judging is left to do."""

import secrets
from collections.abc import Sequence
from pathlib import Path

from rexbench.campaign.folder import Campaign, check_free
from rexbench.campaign.plan import HANDED_IN, AgentSpec, Plan, RunSpec
from rexbench.campaign.steps import handed_in_step
from rexbench.interop.patches import HandedIn
from rexbench.task.folder import HINT_LEVELS, Task


def campaign_of(
    patches: Sequence[HandedIn],
    tasks: Sequence[Task],
    seeds: dict[str, tuple[int, ...]],
    folder: Path,
    sandbox: str,
    unsafe: bool = False,
) -> Campaign:
    """A campaign whose every run has its attempt, ready to be conducted."""
    agents = tuple(AgentSpec(name=name, agent=HANDED_IN) for name in sorted({one.agent for one in patches}))
    plan = Plan(
        agents=agents,
        tasks=tuple(task.id for task in tasks),
        hints=tuple(level for level in HINT_LEVELS if any(one.hints == level for one in patches)),
        runs=max(one.repetition for one in patches),
        listed=tuple(RunSpec(agent=one.agent, task=one.task, hints=one.hints, repetition=one.repetition) for one in patches),
        seeds=seeds,
        sandbox=sandbox,
        unsafe=unsafe,
    )
    check_free(folder)
    draft_folder = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")  # a campaign without its patches could not be resumed
    campaign = Campaign.create(draft_folder, plan)
    known = {task.id: task for task in tasks}
    for one in patches:
        with campaign.draft() as draft:
            (draft / "patch.diff").write_bytes(one.patch)
            campaign.keep_attempt(one.id, 1, handed_in_step(known[one.task], one.hints, one.patch, sandbox), draft)
    draft_folder.rename(folder)
    return Campaign(folder)
