"""What `run` does: a plan from the options, a campaign in a folder, its conduct, and a table at the end."""

import datetime
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rexbench.agent.catalog import find_agent
from rexbench.agent.controls import CONTROLS
from rexbench.agent.install import find_program
from rexbench.campaign.conduct import Progress, conduct
from rexbench.campaign.executors.protocol import Executor
from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import (
    HANDED_IN,
    AgentSpec,
    CampaignFile,
    Plan,
    find_agents,
    make_agent,
    read_duration,
    read_hints,
)
from rexbench.campaign.steps import model_of
from rexbench.cli.campaign_progress import CampaignProgress
from rexbench.cli.dry_run import print_plan
from rexbench.cli.evaluating import prepare_environments
from rexbench.cli.output import console, outcome_text, print_json, print_table
from rexbench.errors import RexbenchError
from rexbench.gateway.meter import Price, is_priced
from rexbench.places import home, secret, tasks_folder
from rexbench.record.model import Run
from rexbench.sandbox.choose import choose_sandbox
from rexbench.task.folder import Task, load_tasks
from rexbench.task.variants import held_out_seeds


@dataclass(frozen=True)
class RunOptions:
    """The options of `rexbench run`, as given."""

    agent: str | None
    model: str | None
    agents: str | None
    tasks: str
    hints: str
    runs: int | None
    out: Path | None
    name: str | None
    command: str | None
    option: list[str]
    base_url: str | None
    key_file: str | None
    price: str | None
    condition: str | None
    time_limit: str | None
    budget_usd: float | None
    budget_tokens: int | None
    budget_requests: int | None
    campaign_budget_usd: float | None
    allow_server_tools: bool
    variants: int | None
    variant_seed: int | None
    retries: int
    sandbox: str
    unsafe: bool


def start_and_print(options: RunOptions, executor: Executor, dry_run: bool, as_json: bool) -> None:
    """Plan a new campaign and run it, or only say what it would be."""
    plan = make_plan(options)
    tasks = plan.load_tasks()
    if dry_run:
        print_plan(plan, tasks, executor.slots, as_json)
        return
    check_agents(plan, tasks)
    folder = options.out or home() / "campaigns" / datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    campaign = Campaign.create(folder, plan, secret())
    conduct_and_print(campaign, tasks, executor, as_json)


def resume_and_print(folder: Path, executor: Executor, as_json: bool, budget_usd: float | None = None) -> None:
    """Go on with a campaign where it was left; `budget_usd` takes the place of the budget that it was started with."""
    campaign = Campaign.open(folder)
    campaign.check_reach(secret())
    plan = campaign.plan
    tasks = plan.load_tasks()
    check_agents(plan, tasks)
    conduct_and_print(campaign, tasks, executor, as_json, budget_usd)


def make_plan(options: RunOptions) -> Plan:
    """The plan that the options and the file describe; an option wins over the file."""
    listed = find_agents(options.agents) if options.agents else CampaignFile()
    agents = tuple(make_agent(spec.model_dump() | _limits(options)) for spec in listed.agent)
    if options.agent:
        agents = (*agents, _agent_from(options))
    if not agents:
        raise RexbenchError("No agent is named; give --agent NAME --model provider/model, or --agents FILE.")
    chosen = options.tasks if options.tasks or not listed.tasks else ",".join(listed.tasks)
    tasks = load_tasks(None if chosen in ("", "all") else [name for name in chosen.split(",") if name])
    given = options.hints or (",".join(listed.hints) if listed.hints else "none")
    drawn = secrets.token_bytes(32)  # of this campaign alone: what one campaign has shown is of no use in the next
    seeds = {task.id: tuple(_seeds(task, options, drawn)) for task in tasks}
    return Plan(
        agents=agents,
        tasks=tuple(task.id for task in tasks),
        folders={task.id: str(task.folder) for task in tasks if task.folder.parent != tasks_folder().resolve()},
        hints=read_hints(given),
        runs=options.runs or listed.runs or 1,
        seeds=seeds,
        sandbox=options.sandbox,
        unsafe=options.unsafe,
        budget_usd=listed.budget_usd if options.campaign_budget_usd is None else options.campaign_budget_usd,
        retries=options.retries,
    )


def _seeds(task: Task, options: RunOptions, drawn: bytes) -> list[int]:
    count = options.variants or task.spec.held_out
    if options.variant_seed is not None:
        return [options.variant_seed + at for at in range(count)]
    return held_out_seeds(task.id, count, drawn)


def check_agents(plan: Plan, tasks: list[Task]) -> None:
    """Everything that would fail in every run of an agent fails now: program, model, key, script, price."""
    choose_sandbox(plan.sandbox, plan.unsafe)
    for spec in plan.agents:
        if spec.agent in (*CONTROLS, HANDED_IN):
            continue
        agent = find_agent(spec.agent)
        if agent.program:
            find_program(agent.program)
        if not spec.model:
            raise RexbenchError(f"The agent {spec.name!r} has no model; give one with --model provider/model.")
        for task in tasks if spec.model.startswith("scripted:") else tasks[:1]:
            model = model_of(spec, task)
        bounded = spec.budget_usd is not None or plan.budget_usd is not None
        if bounded and model and not is_priced(model.priced_as, model.price):
            raise RexbenchError(
                f"No price is known for {spec.model}, so a budget in money cannot be held; "
                "give --price INPUT,OUTPUT per million tokens, or --budget-tokens instead."
            )


def _agent_from(options: RunOptions) -> AgentSpec:
    settings = dict(part.partition("=")[::2] for part in options.option)
    if options.command:
        settings["command"] = options.command
    values: dict[str, Any] = {
        "name": options.name or str(options.agent),
        "agent": options.agent,
        "model": options.model or "",
        "base_url": options.base_url,
        "key_file": options.key_file,
        "price": _price(options.price),
        "options": settings,
    }
    return make_agent(values | _limits(options))


def _limits(options: RunOptions) -> dict[str, Any]:
    """What was said on the command line about every agent, wherever the agents come from."""
    if options.condition not in (None, "open", "paper"):
        raise RexbenchError(f"There is no condition {options.condition!r}; there are: open, paper.")
    given = {
        "condition": options.condition,
        "time_limit": read_duration(options.time_limit) if options.time_limit else None,
        "budget_usd": options.budget_usd,
        "budget_tokens": options.budget_tokens,
        "budget_requests": options.budget_requests,
        "allow_server_tools": options.allow_server_tools or None,
    }
    return {name: value for name, value in given.items() if value is not None}


def _price(text: str | None) -> Price | None:
    if not text:
        return None
    try:
        parts = [float(part) for part in text.split(",")]
        return Price(input=parts[0], output=parts[1], cached=parts[2] if len(parts) > 2 else None)
    except (ValueError, IndexError) as error:
        raise RexbenchError(f"{text!r} is no price; write INPUT,OUTPUT[,CACHED] in US dollars per million tokens.") from error


def conduct_and_print(
    campaign: Campaign, tasks: list[Task], executor: Executor, as_json: bool, budget_usd: float | None = None
) -> None:
    """Run a campaign to its end, showing where it stands, and print what came out."""
    plan = campaign.plan
    prepare_environments(tasks, choose_sandbox(plan.sandbox, plan.unsafe), quiet=as_json)
    if not as_json:
        print(f"campaign: {campaign.folder}", file=sys.stderr)
    with CampaignProgress(quiet=as_json) as shown:
        progress = conduct(campaign, executor, shown.observe, budget_usd)
    runs = campaign.runs()
    if as_json:
        print_json(_summary(campaign, progress, runs))
    else:
        _print_runs(campaign, progress, runs)
    if progress.given_up or progress.held_back:
        raise SystemExit(3)


def _summary(campaign: Campaign, progress: Progress, runs: list[Run]) -> dict[str, Any]:
    return {
        "campaign": str(campaign.folder),
        "total": progress.total,
        "done": progress.done,
        "outcomes": progress.outcomes,
        "cost_usd": None if progress.unpriced else progress.usd,
        "given_up": progress.given_up,
        "held_back": progress.held_back,
        "runs": [run.model_dump() for run in runs],
    }


def _print_runs(campaign: Campaign, progress: Progress, runs: list[Run]) -> None:
    if len(runs) <= 40:
        rows = [
            [
                run.id,
                run.step.outcome,
                outcome_text(run.outcome),
                str(run.step.turns),
                "?" if run.step.cost_usd is None else f"{run.step.cost_usd:.2f}",
                f"{run.step.seconds:.0f}",
            ]
            for run in runs
        ]
        print_table("", ["run", "agent ended", "outcome", "turns", "$", "s"], rows, right=["turns", "$", "s"])
        for run in runs:
            for flag in run.flags:
                console.print(f"  flag {flag.kind} in {run.id}: {flag.evidence}"[:200], markup=False)
    counted = ", ".join(f"{name} {count}" for name, count in sorted(progress.outcomes.items()))
    console.print(f"\n{progress.done} of {progress.total} runs have a verdict: {counted or 'none'}")
    for run_id, fault in list(progress.given_up.items())[:10]:
        console.print(f"  no verdict for {run_id}: {fault}", markup=False)
    if progress.held_back:
        console.print(
            f"  {progress.held_back} runs were not started: the campaign's budget is used up; give --campaign-budget-usd more"
        )
    if progress.given_up or progress.held_back:
        console.print(f"  go on with: rexbench run --resume {campaign.folder}", soft_wrap=True)
    console.print(f"next: rexbench report {campaign.folder}", soft_wrap=True)
