"""`rexbench task workspace`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rexbench.cli.options import Hints, TaskArgument, open_bench

if TYPE_CHECKING:
    from rexbench.task.folder import Task


def workspace(
    task: TaskArgument,
    target: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder.")],
    hints: Hints = "none",
    patch: Annotated[
        str, typer.Option("--patch", help="Start from gold, an alternative or a near miss of the vault; for authors.")
    ] = "",
) -> None:
    """What an agent would get, for a person to work in by hand.

    \b
    rexbench task workspace othello work --hints hints
    rexbench evaluate work --task othello
    """
    from rexbench.cli.output import console
    from rexbench.errors import PatchRejected, RexbenchError
    from rexbench.task.folder import hint_level
    from rexbench.workspace.patch import apply_to_workspace

    bench = open_bench()
    found, level = bench.task(task), hint_level(hints)
    chosen = _vault_patch(found, patch) if patch else None
    made = bench.workspace(found, target, level)
    if chosen is not None:
        try:
            apply_to_workspace(found, chosen, made, bench.home)
        except PatchRejected as error:
            raise RexbenchError(f"{found.id}: {patch} cannot be applied: {error}.") from error
    console.print(f"{target} holds {found.id} with hint level {level}. Read instructions.md there, edit, then:")
    console.print(f"  rexbench evaluate {target} --task {task}", soft_wrap=True)


def _vault_patch(task: "Task", name: str) -> bytes:
    from rexbench.errors import RexbenchError

    known = {"gold": task.vault.gold} | task.vault.alternatives | task.vault.near_misses
    if name not in known:
        raise RexbenchError(f"{task.id}: the vault holds no patch {name!r}; there are: {', '.join(known)}.")
    return known[name]
