"""`rexbench run`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rexbench.cli.executors import DaskAddress, ExecutorName, MaxJobs, SlurmOptions, choose_executor
from rexbench.cli.options import CORES, Jobs, Json, SandboxOption, Unsafe, Variants, VariantSeed, open_bench

_WITH_RESUME = (
    "resume", "campaign_budget_usd", "sandbox", "unsafe", "jobs", "executor", "slurm", "dask", "max_jobs", "as_json",
)  # fmt: skip
"""Where and how much work is done is said anew at each start of a campaign; what the work is may not change."""
_OF_AGENTS = ("condition", "time_limit", "budget_usd", "budget_tokens", "budget_requests")
"""Options that go for every agent, wherever the agents come from."""
WHO, WHAT, MODEL, LIMITS, WHERE = "Who runs", "What is run", "The model", "Limits of a run", "Where and how"


def run(
    context: typer.Context,
    agent: Annotated[
        str | None,
        typer.Option("--agent", rich_help_panel=WHO, help="One agent: see rexbench agents list; gold and nop are controls."),
    ] = None,
    agents: Annotated[
        str | None,
        typer.Option("--agents", rich_help_panel=WHO, help="Presets, controls or a TOML file; commas between several."),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", rich_help_panel=WHO, help="What the records call the agent; its own name by default.")
    ] = None,
    command: Annotated[
        str | None,
        typer.Option(
            "--command", rich_help_panel=WHO, help="For --agent command: may hold {instructions}, {prompt}, {model}, {gateway}."
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", rich_help_panel=WHO, metavar="NAME=VALUE", help="A setting of this agent alone."),
    ] = None,
    condition: Annotated[
        str | None,
        typer.Option("--condition", rich_help_panel=WHO, help="open, or paper: no Python for the agent, one line of prompt."),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", rich_help_panel=MODEL, help="provider/model, scripted:FILE or replay:RUN.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option("--base-url", rich_help_panel=MODEL, help="The provider's address, if not the usual one.")
    ] = None,
    key_file: Annotated[
        str | None, typer.Option("--key-file", rich_help_panel=MODEL, help="A file that holds the key; else the environment's.")
    ] = None,
    price: Annotated[
        str | None,
        typer.Option(
            "--price", rich_help_panel=MODEL, metavar="IN,OUT[,CACHED]", help="US dollars per million tokens, if not as listed."
        ),
    ] = None,
    allow_server_tools: Annotated[
        bool,
        typer.Option("--allow-server-tools", rich_help_panel=MODEL, help="Let the provider's own web search and code through."),
    ] = False,
    task: Annotated[
        str, typer.Option("--task", "--tasks", rich_help_panel=WHAT, help="Tasks with commas between them, or all.")
    ] = "",
    hints: Annotated[
        str, typer.Option("--hints", rich_help_panel=WHAT, help="none, hints, detailed, several with commas, or all.")
    ] = "",
    runs: Annotated[int | None, typer.Option("--runs", rich_help_panel=WHAT, min=1, help="Repetitions of everything.")] = None,
    variants: Variants = None,
    variant_seed: VariantSeed = None,
    time_limit: Annotated[
        str | None, typer.Option("--time-limit", rich_help_panel=LIMITS, help="90s, 30m, 2h; 30m by default.")
    ] = None,
    budget_usd: Annotated[float | None, typer.Option("--budget-usd", rich_help_panel=LIMITS, help="US dollars.")] = None,
    budget_tokens: Annotated[
        int | None, typer.Option("--budget-tokens", rich_help_panel=LIMITS, help="Tokens, in and out.")
    ] = None,
    budget_requests: Annotated[
        int | None, typer.Option("--budget-requests", rich_help_panel=LIMITS, help="Model requests.")
    ] = None,
    campaign_budget_usd: Annotated[
        float | None,
        typer.Option(
            "--campaign-budget-usd", rich_help_panel=LIMITS, min=0.01, help="Over everything; with --resume, the new sum."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", rich_help_panel=WHERE, help="Folder of the campaign; under rexbench's home by default.")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", rich_help_panel=WHERE, metavar="DIR", help="Go on with a campaign; does only what is missing."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", rich_help_panel=WHERE, help="Only print the plan, and what it will cost and take.")
    ] = False,
    retries: Annotated[
        int, typer.Option("--retries", rich_help_panel=WHERE, min=0, help="How often a fault of ours is tried again.")
    ] = 2,
    sandbox: SandboxOption = "bubblewrap",
    unsafe: Unsafe = False,
    jobs: Jobs = CORES,
    executor: ExecutorName = "local",
    slurm: SlurmOptions = "",
    dask: DaskAddress = "",
    max_jobs: MaxJobs = None,
    as_json: Json = False,
) -> None:
    """Run agents on tasks and judge what they leave: a campaign in a folder, which can be killed and resumed at any time.

    \b
    rexbench run --agent claude-code --model anthropic/claude-sonnet-4-5 --task othello --budget-usd 5 --time-limit 30m
    rexbench run --agents agents.toml --tasks all --hints all --runs 5 --out my-campaign
    rexbench run --agents gold,nop --tasks all
    rexbench run --agent aider --model scripted:script.yaml --task checkeval
    rexbench run --resume my-campaign
    rexbench run --agents published --tasks all --executor slurm --slurm partition=cpu,account=lab --max-jobs 200

    Exit status: 0 every run has a verdict, 2 wrong call, 3 some have none (go on with --resume).
    """
    from rexbench.api.campaign import default_folder
    from rexbench.campaign.folder import Campaign
    from rexbench.campaign.planning import check_plan, fix_plan, load_tasks

    chosen = choose_executor(executor, jobs, slurm, max_jobs, dask)
    bench = open_bench(sandbox, unsafe)
    if resume:
        _refuse_changes(context)
        campaign = Campaign.open(resume.absolute())
        campaign.check_reach(bench.home.secret())
        check_plan(campaign.plan, bench)
    else:
        plan = fix_plan(_plan(context.params), bench, Path.cwd(), variants, variant_seed)
        if dry_run:
            from rexbench.cli.dry_run import print_plan

            print_plan(plan, load_tasks(plan, bench), chosen.slots, as_json)
            return
        check_plan(plan, bench)
        campaign = Campaign.create(out.absolute() if out else default_folder(bench.home), plan, bench.home.secret())
    from rexbench.cli.conducting import conduct_and_print

    conduct_and_print(campaign, bench, chosen, as_json, campaign_budget_usd if resume else None)


def _plan(given: dict[str, Any]) -> Any:
    """The plan that the options and the file describe; an option wins over the file."""
    from rexbench.campaign.plan import CampaignFile, Plan, find_agents, make_agent, read_hints
    from rexbench.errors import RexbenchError

    for_all = {key: given[key] for key in _OF_AGENTS if given[key] is not None}
    for_all |= {"allow_server_tools": True} if given["allow_server_tools"] else {}
    listed = find_agents(given["agents"]) if given["agents"] else CampaignFile()
    agents = [make_agent(spec.model_dump(), for_all) for spec in listed.agent]
    if given["agent"]:
        agents.append(make_agent(_one_agent(given), for_all))
    if not agents:
        raise RexbenchError("No agent is named; give --agent NAME --model provider/model, or --agents FILE.")
    tasks = tuple(filter(None, given["task"].split(","))) or listed.tasks or ()
    if not tasks:
        raise RexbenchError("No task is named; give --task NAME, or --tasks all for the whole suite.")
    return Plan(
        agents=tuple(agents),
        tasks=tuple(str(Path(one).absolute()) if one.startswith(".") else one for one in tasks),
        hints=read_hints(given["hints"] or (",".join(listed.hints) if listed.hints else "none")),
        runs=given["runs"] or listed.runs or 1,
        budget_usd=listed.budget_usd if given["campaign_budget_usd"] is None else given["campaign_budget_usd"],
        retries=given["retries"],
    )


def _one_agent(given: dict[str, Any]) -> dict[str, Any]:
    settings = dict(part.partition("=")[::2] for part in given["option"] or ())
    if given["command"]:
        settings["command"] = given["command"]
    endpoint = {"base_url": given["base_url"], "key_file": given["key_file"], "price": _price(given["price"])}
    named = {"name": given["name"]} if given["name"] else {}
    return {"agent": given["agent"], "model": given["model"] or "", "endpoint": endpoint, "options": settings, **named}


def _price(text: str | None) -> dict[str, float | None] | None:
    from rexbench.errors import RexbenchError

    if not text:
        return None
    try:
        parts = [float(part) for part in text.split(",")]
        return {"input": parts[0], "output": parts[1], "cached": parts[2] if len(parts) > 2 else None}
    except (ValueError, IndexError) as error:
        raise RexbenchError(f"{text!r} is no price; write INPUT,OUTPUT[,CACHED] in US dollars per million tokens.") from error


def _refuse_changes(context: typer.Context) -> None:
    from rexbench.errors import RexbenchError

    for name in context.params:
        source = context.get_parameter_source(name)
        if name not in _WITH_RESUME and source is not None and source.name == "COMMANDLINE":
            raise RexbenchError(
                f"--{name.replace('_', '-')} says nothing to --resume, which goes on with the plan as it was made; leave it out."
            )
