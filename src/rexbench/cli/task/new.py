"""`rexbench task new`."""

from pathlib import Path
from typing import Annotated

import typer


def new(task: Annotated[Path, typer.Argument(metavar="DIR", help="The new folder; its name is the task's.")]) -> None:
    """A scaffold that already passes lint and its own checks, in a new folder here.

    \b
    rexbench task new my-task
    rexbench task check ./my-task
    """
    from rexbench.cli.output import console
    from rexbench.task.scaffold import new_task

    folder = new_task(task.absolute())
    console.print(f"{folder} is a small worked example. Rewrite it piece by piece; docs/tasks.md says how.", soft_wrap=True)
    shown = task if task.is_absolute() else f"./{task}"
    console.print(f"After each piece: rexbench task lint {shown}", soft_wrap=True)
