"""`rexbench task new`."""

from pathlib import Path
from typing import Annotated

import typer


def new(
    task: Annotated[Path, typer.Argument(metavar="DIR", help="The new folder; its name is the task's.")],
    scored: Annotated[bool, typer.Option("--scored", help="A scored task: a figure on worlds whose truth is kept back.")] = False,
    laboratory: Annotated[
        bool, typer.Option("--laboratory", help="A scored task with a laboratory that answers questions.")
    ] = False,
) -> None:
    """A scaffold that already passes lint and its own checks, in a new folder here.

    \b
    rexbench task new my-task
    rexbench task new my-world --scored
    rexbench task check ./my-task
    """
    from rexbench.cli.output import console
    from rexbench.task.scaffold import new_task

    folder = new_task(task.absolute(), scored, laboratory)
    console.print(f"{folder} is a small worked example. Rewrite it piece by piece; docs/tasks.md says how.", soft_wrap=True)
    shown = task if task.is_absolute() else f"./{task}"
    console.print(f"After each piece: rexbench task lint {shown}", soft_wrap=True)
