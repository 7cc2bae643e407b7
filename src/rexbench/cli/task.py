"""`rexbench task ...`: the suite and its authors' tools."""

from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.options import CORES, Fresh, Jobs, Json, SandboxOption, TaskArgument, Unsafe, VariantSeed

task_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="The suite: list, show, check, calibrate, seal.")


@task_app.command("list")
def list_tasks(as_json: Json = False) -> None:
    """The suite: each task's area and paper, gold's time and size, and on how many variants it was verified.

    \b
    rexbench task list
    rexbench task list --json
    """
    from rexbench.cli.tasking import list_and_print

    list_and_print(as_json)


@task_app.command()
def show(
    task: TaskArgument, hints: Annotated[str, typer.Option(help="none, hints or detailed.")] = "none", as_json: Json = False
) -> None:
    """One task: what it asks, how it runs, what it writes and how it is judged.

    \b
    rexbench task show othello
    rexbench task show othello --hints detailed
    """
    from rexbench.cli.tasking import show_and_print

    show_and_print(task, hints, as_json)


@task_app.command()
def new(task: Annotated[str, typer.Argument(metavar="ID", help="Name of the new task, or a path to its new folder.")]) -> None:
    """A scaffold that already passes lint and its own checks.

    \b
    rexbench task new my-task
    rexbench task check my-task
    """
    from rexbench.cli.tasking import scaffold_and_print

    scaffold_and_print(task)


@task_app.command()
def data(task: TaskArgument) -> None:
    """Put variant 0 into repo/data, in place of what lies there; run it whenever variant.py has changed.

    \b
    rexbench task data my-task
    """
    from rexbench.cli.tasking import data_and_print

    data_and_print(task)


@task_app.command()
def lint(
    tasks: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Tasks to look at; all where none is named.")] = None,
    as_json: Json = False,
) -> None:
    """What can be said of a task without running it: missing parts, sizes, canaries, data, texts, host code.

    \b
    rexbench task lint my-task

    Exit status 1 where there is an error; advice does not count.
    """
    from rexbench.cli.tasking import lint_and_print

    lint_and_print(tasks or [], as_json)


@task_app.command()
def workspace(
    task: TaskArgument,
    target: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder.")],
    hints: Annotated[str, typer.Option(help="none, hints or detailed.")] = "none",
    patch: Annotated[str, typer.Option(help="Start from gold, an alternative or a near miss of the vault; for authors.")] = "",
) -> None:
    """What an agent would get, for a person to work in by hand.

    \b
    rexbench task workspace othello work --hints hints
    rexbench evaluate work --task othello
    """
    from rexbench.cli.tasking import workspace_and_print

    workspace_and_print(task, target, hints, patch)


@task_app.command()
def diff(task: TaskArgument, tree: Annotated[Path, typer.Argument(metavar="DIR", help="An edited workspace.")]) -> None:
    """The patch that an edited workspace amounts to, on standard output.

    \b
    rexbench task diff othello work > my.patch
    """
    from rexbench.cli.tasking import diff_and_print

    diff_and_print(task, tree)


@task_app.command()
def check(
    tasks: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Tasks to check.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Check the whole suite.")] = False,
    variants: Annotated[int, typer.Option("--variants", min=1, help="Held-out variants to try each patch on.")] = 3,
    seeds: Annotated[int, typer.Option("--seeds", min=0, help="Also run gold under this many other training seeds.")] = 0,
    only: Annotated[list[str] | None, typer.Option("--only", help="Only patches of this name (repeatable).")] = None,
    record: Annotated[bool, typer.Option("--record", help="Put a passed check on record in the task's folder.")] = False,
    variant_seed: VariantSeed = None,
    sandbox: SandboxOption = "bubblewrap",
    unsafe: Unsafe = False,
    fresh: Fresh = False,
    jobs: Jobs = CORES,
    as_json: Json = False,
) -> None:
    """Is a task fit to judge with? Lint, then every patch of its own over held-out variants.

    Gold and alternatives must pass on all; near misses, the unchanged code, nop and generic attacks on none; and gold must
    repeat itself bit for bit.

    \b
    rexbench task check othello --variants 20 --record
    rexbench task check --all --variants 1 --fresh

    Exit status 1 where a check fails.
    """
    from rexbench.cli.checking import check_and_print

    check_and_print(tasks or [], every, variants, seeds, only or [], record, variant_seed, sandbox, unsafe, fresh, jobs, as_json)


@task_app.command()
def calibrate(
    task: TaskArgument,
    variants: Annotated[int, typer.Option("--variants", min=1, help="Variants to run gold on.")] = 3,
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="Training seeds per variant, where a metric is noisy.")] = 5,
    sandbox: SandboxOption = "bubblewrap",
    unsafe: Unsafe = False,
    fresh: Fresh = False,
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """Run gold over training seeds and variants; write its spread, time and limit into task.toml.

    \b
    rexbench task calibrate othello --variants 4 --seeds 6
    """
    from rexbench.cli.checking import calibrate_and_print

    calibrate_and_print(task, variants, seeds, sandbox, unsafe, fresh, jobs, as_json)


@task_app.command()
def seal(task: TaskArgument) -> None:
    """Close the vault: encrypt vault/ into vault.bin. REXBENCH_VAULT_KEY gives a key of your own.

    \b
    rexbench task seal othello
    """
    from rexbench.cli.tasking import seal_and_print

    seal_and_print(task)


@task_app.command()
def unseal(task: TaskArgument) -> None:
    """Open the vault: decrypt vault.bin into vault/, which git ignores. For authors.

    \b
    rexbench task unseal othello
    """
    from rexbench.cli.tasking import unseal_and_print

    unseal_and_print(task)
