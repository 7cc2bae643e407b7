"""Patches from elsewhere as a campaign: their agents' steps are on record as handed in, and only the judging is left to do."""

import datetime
import secrets
from collections.abc import Sequence
from pathlib import Path

from rexbench.agent.keeping import make_step
from rexbench.agent.settings import Agent
from rexbench.campaign.folder import Campaign, check_free
from rexbench.campaign.plan import HANDED_IN, Plan, RunSpec
from rexbench.interop.patches import HandedIn
from rexbench.interop.predictions import read_predictions
from rexbench.interop.submission import read_submission
from rexbench.record.model import AgentStep, Limits
from rexbench.task.folder import HINT_LEVELS, Task
from rexbench.task.variants import choose_seeds
from rexbench.workbench import Workbench
from rexbench.workspace.capture import Captured


def judged_campaign(what: Path, bench: Workbench, out: Path | None, variants: int | None, first_seed: int | None) -> Campaign:
    """The campaign that judges a submission archive or a file of predictions; in a folder of the home where none is named."""
    patches = read_submission(what) if what.suffix == ".zip" else read_predictions(what)
    return judging(patches, what.stem, bench, out, variants, first_seed)


def judging(
    patches: Sequence[HandedIn], name: str, bench: Workbench, out: Path | None, variants: int | None, first_seed: int | None
) -> Campaign:
    """The campaign that judges these patches; in a folder of the home, by this name, where none is named."""
    tasks = [bench.suite.load(name) for name in sorted({one.task for one in patches})]
    drawn = secrets.token_bytes(32)
    seeds = {task.id: choose_seeds(task, variants, first_seed, drawn) for task in tasks}
    folder = out or bench.home.make("campaigns") / f"{datetime.datetime.now():%Y%m%d-%H%M%S}-{name}"
    return campaign_of(patches, tasks, seeds, folder.absolute(), bench)


def campaign_of(
    patches: Sequence[HandedIn],
    tasks: Sequence[Task],
    seeds: dict[str, tuple[int, ...]],
    folder: Path,
    bench: Workbench,
) -> Campaign:
    """A campaign whose every run has its attempt, ready to be conducted."""
    agents = tuple(Agent(HANDED_IN, name=name) for name in sorted({one.agent for one in patches}))
    plan = Plan(
        agents=agents,
        tasks=tuple(task.id for task in tasks),
        hints=tuple(level for level in HINT_LEVELS if any(one.hints == level for one in patches)),
        runs=max(one.repetition for one in patches),
        listed=tuple(RunSpec(agent=one.agent, task=one.task, hints=one.hints, repetition=one.repetition) for one in patches),
        seeds=seeds,
        sandbox=bench.settings.sandbox,
        folders={task.id: bench.suite.address(task) for task in tasks if bench.suite.address(task) != task.id},
    )
    check_free(folder)
    draft_folder = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")  # a campaign without its patches could not be resumed
    campaign = Campaign.create(draft_folder, plan)
    known = {task.id: task for task in tasks}
    for one in patches:
        with campaign.draft() as draft:
            (draft / "patch.diff").write_bytes(one.patch)
            if one.told.trajectory:
                (draft / "trajectory.json").write_bytes(one.told.trajectory)
            campaign.keep_attempt(one.id, 1, handed_in_step(known[one.task], one, bench), draft)
    draft_folder.rename(folder)
    return Campaign(folder)


def handed_in_step(task: Task, one: HandedIn, bench: Workbench) -> AgentStep:
    """The record of a step that was made elsewhere: the patch, what is told of it, and nothing that was measured."""
    agent = Agent(HANDED_IN, model=one.told.model, limits=Limits(seconds=0))
    used = {"tokens": one.told.tokens, "cost_usd": one.told.cost_usd, "agent_version": one.told.version}
    return make_step(task, one.hints, agent, bench, "finished", "", Captured(one.patch, ()), **used)
