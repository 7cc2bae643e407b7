"""The commands at the top level."""

from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.options import CORES, Fresh, Jobs, Json, SandboxOption, Unsafe, VariantSeed
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


@app.callback()
def top(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        from rexbench import __version__

        print(f"rexbench {__version__}")
        raise typer.Exit


@app.command()
def evaluate(
    what: Annotated[Path, typer.Argument(metavar="DIR|PATCH", help="An edited workspace, or a patch file.")],
    task: Annotated[str, typer.Option("--task", help="The task it belongs to.")],
    variants: Annotated[
        int | None, typer.Option("--variants", min=1, help="Held-out variants; the task says how many by default.")
    ] = None,
    variant_seed: VariantSeed = None,
    sandbox: SandboxOption = "bubblewrap",
    unsafe: Unsafe = False,
    fresh: Fresh = False,
    jobs: Jobs = CORES,
    as_json: Json = False,
) -> None:
    """Judge an edited workspace or a patch: outcome, metrics against live gold, where the logs are.

    \b
    rexbench evaluate my-workspace --task othello
    rexbench evaluate fix.patch --task explain-then-translate --variants 3 --json

    Exit status: 0 judged (whatever the outcome), 2 wrong call, 3 a fault of the system.
    """
    from rexbench.cli.evaluating import evaluate_and_print

    evaluate_and_print(what, task, variants, variant_seed, sandbox, unsafe, fresh, jobs, as_json)


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
