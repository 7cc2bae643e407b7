"""The commands at the top level."""

from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.agents import agents_app
from rexbench.cli.cluster import cluster_app
from rexbench.cli.executors import DaskAddress, ExecutorName, MaxJobs, SlurmOptions
from rexbench.cli.options import CORES, Fresh, Jobs, Json, SandboxOption, Unsafe, VariantSeed
from rexbench.cli.submit import submit_app
from rexbench.cli.task import task_app

app = typer.Typer(
    name="rexbench",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Can a coding agent extend published AI research by itself? Run `rexbench doctor` first.",
)
app.add_typer(task_app, name="task")
app.add_typer(agents_app, name="agents")
app.add_typer(cluster_app, name="cluster")
app.add_typer(submit_app, name="submit")


@app.callback()
def top(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        from rexbench import __version__

        print(f"rexbench {__version__}")
        raise typer.Exit


@app.command()
def evaluate(
    what: Annotated[
        Path, typer.Argument(metavar="DIR|PATCH|ZIP|JSONL", help="An edited workspace, a patch, a submission or predictions.")
    ],
    task: Annotated[str, typer.Option("--task", help="The task that a workspace or a patch belongs to.")] = "",
    variants: Annotated[
        int | None, typer.Option("--variants", min=1, help="Held-out variants; the task says how many by default.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="For ZIP and JSONL: the folder of the campaign that is made.")] = None,
    variant_seed: VariantSeed = None,
    sandbox: SandboxOption = "bubblewrap",
    unsafe: Unsafe = False,
    fresh: Fresh = False,
    jobs: Jobs = CORES,
    as_json: Json = False,
) -> None:
    """Judge an edited workspace or a patch: outcome, metrics against live gold, where the logs are.

    A submission archive or a file of predictions is judged as a campaign, for `rexbench report`.

    \b
    rexbench evaluate my-workspace --task othello
    rexbench evaluate fix.patch --task explain-then-translate --variants 3 --json
    rexbench evaluate predictions.jsonl --out judged
    rexbench evaluate submission.zip --out judged

    Exit status: 0 judged (whatever the outcome), 2 wrong call, 3 a fault of the system.
    """
    if what.suffix in (".zip", ".jsonl"):
        from rexbench.cli.submit import judge_and_print

        if task or fresh:
            raise typer.BadParameter("is for a workspace or a patch alone", param_hint="--task" if task else "--fresh")
        judge_and_print(what, out, variants, variant_seed, sandbox, unsafe, jobs, as_json)
        return
    if not task:
        raise typer.BadParameter("a workspace or a patch needs --task", param_hint="--task")
    from rexbench.cli.evaluating import evaluate_and_print

    evaluate_and_print(what, task, variants, variant_seed, sandbox, unsafe, fresh, jobs, as_json)


_WITH_RESUME = ("resume", "campaign_budget_usd", "jobs", "executor", "slurm", "dask", "max_jobs", "as_json")
"""Where and how much work is done may change from one start of a campaign to the next; what the work is may not."""


@app.command()
def run(
    context: typer.Context,
    agent: Annotated[
        str | None, typer.Option("--agent", help="One agent: see rexbench agents list; gold and nop are controls.")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", help="provider/model, scripted:FILE or replay:RUN.")] = None,
    agents: Annotated[
        str | None, typer.Option("--agents", help="Presets, controls or a TOML file; commas between several.")
    ] = None,
    task: Annotated[str, typer.Option("--task", "--tasks", help="Tasks with commas between them, or all.")] = "",
    hints: Annotated[str, typer.Option("--hints", help="none, hints, detailed, several with commas, or all.")] = "",
    runs: Annotated[int | None, typer.Option("--runs", min=1, help="Repetitions of everything.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Folder of the campaign; made here, or under rexbench's home.")] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="DIR", help="Go on with a campaign; does only what is missing.")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="What the records call the agent; its own name by default.")] = None,
    command: Annotated[
        str | None, typer.Option("--command", help="For --agent command: may hold {instructions}, {prompt}, {model}, {gateway}.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="A setting of this agent alone.")
    ] = None,
    base_url: Annotated[str | None, typer.Option("--base-url", help="The provider's address, if not the usual one.")] = None,
    key_file: Annotated[str | None, typer.Option("--key-file", help="A file that holds the key; else the environment's.")] = None,
    price: Annotated[
        str | None,
        typer.Option("--price", metavar="IN,OUT[,CACHED]", help="US dollars per million tokens, if not the listed price."),
    ] = None,
    condition: Annotated[
        str | None, typer.Option("--condition", help="open, or paper: no Python for the agent, one line of prompt.")
    ] = None,
    time_limit: Annotated[str | None, typer.Option("--time-limit", help="Per run: 90s, 30m, 2h; 30m by default.")] = None,
    budget_usd: Annotated[float | None, typer.Option("--budget-usd", help="US dollars per run.")] = None,
    budget_tokens: Annotated[int | None, typer.Option("--budget-tokens", help="Tokens per run, in and out.")] = None,
    budget_requests: Annotated[int | None, typer.Option("--budget-requests", help="Model requests per run.")] = None,
    campaign_budget_usd: Annotated[
        float | None,
        typer.Option("--campaign-budget-usd", min=0.01, help="US dollars over everything; with --resume, the new sum."),
    ] = None,
    allow_server_tools: Annotated[
        bool, typer.Option("--allow-server-tools", help="Let the provider's own web search and code execution through.")
    ] = False,
    variants: Annotated[int | None, typer.Option("--variants", min=1, help="Held-out variants; the task says how many.")] = None,
    variant_seed: VariantSeed = None,
    retries: Annotated[int, typer.Option("--retries", min=0, help="How often a fault of ours is tried again.")] = 2,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print the plan, and what it will cost and take.")] = False,
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
    from rexbench.cli.executors import choose_executor
    from rexbench.cli.running import RunOptions, resume_and_print, start_and_print
    from rexbench.errors import RexbenchError

    chosen = choose_executor(executor, jobs, slurm, max_jobs, dask)
    if resume:
        changed = [name for name in context.params if name not in _WITH_RESUME and _was_given(context, name)]
        if changed:
            option_name = changed[0].replace("_", "-")
            raise RexbenchError(
                f"--{option_name} says nothing to --resume, which goes on with the plan as it was made; leave it out."
            )
        resume_and_print(resume, chosen, as_json, campaign_budget_usd)
        return
    options = RunOptions(
        agent=agent,
        model=model,
        agents=agents,
        tasks=task,
        hints=hints,
        runs=runs,
        out=out,
        name=name,
        command=command,
        option=option or [],
        base_url=base_url,
        key_file=key_file,
        price=price,
        condition=condition,
        time_limit=time_limit,
        budget_usd=budget_usd,
        budget_tokens=budget_tokens,
        budget_requests=budget_requests,
        campaign_budget_usd=campaign_budget_usd,
        allow_server_tools=allow_server_tools,
        variants=variants,
        variant_seed=variant_seed,
        retries=retries,
        sandbox=sandbox,
        unsafe=unsafe,
    )
    start_and_print(options, chosen, dry_run, as_json)


@app.command()
def demo(
    tasks: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Tasks; all of them by default.")] = None,
    variant_seed: VariantSeed = None,
    sandbox: SandboxOption = "bubblewrap",
    unsafe: Unsafe = False,
    fresh: Fresh = False,
    jobs: Jobs = CORES,
    as_json: Json = False,
) -> None:
    """Run every task with the controls gold and nop on held-out data, and print the table.

    \b
    rexbench demo
    rexbench demo othello --jobs 1
    """
    from rexbench.cli.evaluating import demo_and_print

    demo_and_print(tasks or None, variant_seed, sandbox, unsafe, fresh, jobs, as_json)


@app.command()
def doctor(as_json: Json = False) -> None:
    """Say what works on this machine (sandboxes, environments, cores, memory, GPUs), and how to get the rest.

    \b
    rexbench doctor
    """
    from rexbench.cli.doctor import examine_and_print

    examine_and_print(as_json)


@app.command()
def report(
    campaigns: Annotated[list[Path], typer.Argument(metavar="CAMPAIGN...", help="Folders of campaigns; several make one report.")],
    with_paper: Annotated[bool, typer.Option("--with-paper", help="Set the fourteen published agents beside these.")] = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where files go; CAMPAIGN/report by default.")] = None,
    as_json: Json = False,
) -> None:
    """Turn a campaign into tables, figures and one HTML file: success with intervals, hints, tasks, costs, failures, comparisons.

    \b
    rexbench report my-campaign
    rexbench report my-campaign another-campaign --with-paper --out my-report
    """
    from rexbench.cli.reporting import report_and_print

    report_and_print(campaigns, with_paper, out, as_json)


@app.command()
def compare(
    campaign: Annotated[Path, typer.Argument(metavar="CAMPAIGN", help="Folder of a campaign.")],
    a: Annotated[str, typer.Option("--a", help="One agent, by its name in the campaign.")],
    b: Annotated[str, typer.Option("--b", help="The other.")],
    as_json: Json = False,
) -> None:
    """Say whether two agents differ: paired by task, with the difference, its interval and two tests.

    \b
    rexbench compare my-campaign --a claude-code --b openhands
    """
    from rexbench.cli.comparing import compare_and_print

    compare_and_print(campaign, a, b, as_json)


@app.command()
def power(
    tasks: Annotated[int, typer.Option("--tasks", min=2, max=200, help="Tasks in the design.")] = 12,
    runs: Annotated[int, typer.Option("--runs", min=1, max=1000, help="Runs of each agent on each task.")] = 5,
    difference: Annotated[float, typer.Option("--difference", help="True difference in final success, such as 0.15.")] = 0.15,
    base: Annotated[float, typer.Option("--base", help="Final success of the weaker agent.")] = 0.3,
    agents: Annotated[int, typer.Option("--agents", min=2, max=20, help="Agents compared; more pairs need more evidence.")] = 2,
    as_json: Json = False,
) -> None:
    """Say what a design can and cannot show before it is paid for.

    \b
    rexbench power --tasks 12 --runs 5 --difference 0.15
    rexbench power --tasks 50 --runs 3 --difference 0.2 --agents 9
    """
    from rexbench.cli.comparing import power_and_print

    power_and_print(tasks, runs, difference, base, agents, as_json)


def _was_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
