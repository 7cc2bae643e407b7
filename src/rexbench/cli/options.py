"""Options that several commands share, and the bench that they ask for."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rexbench.api.bench import Bench
    from rexbench.workbench import Workbench

Json = Annotated[bool, typer.Option("--json", help="Print one JSON value for machines, and nothing else.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Experiments at a time; each uses one core.", show_default="cores")]
SandboxOption = Annotated[str, typer.Option("--sandbox", help="bubblewrap, docker, podman or process (needs --unsafe).")]
Unsafe = Annotated[bool, typer.Option("--unsafe", help="Allow the sandbox 'process', which isolates nothing.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Run again what is already on record; the old record is set aside.")]
Variants = Annotated[int | None, typer.Option("--variants", min=1, help="Held-out variants; the task says how many.")]
VariantSeed = Annotated[
    int | None, typer.Option("--variant-seed", help="Fix the first held-out seed instead of drawing it from the secret.")
]
Hints = Annotated[str, typer.Option("--hints", help="none, hints or detailed.")]
TaskArgument = Annotated[str, typer.Argument(metavar="ID", help="Name of a task, package/task, or a path to its folder.")]

CORES = max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
"""Cores that this process may use; one experiment each by default."""


def open_bench(sandbox: str = "bubblewrap", unsafe: bool = False) -> "Bench":
    """The bench that this call works with: its options, and the environment for the rest."""
    from rexbench.api.bench import Bench

    return Bench(sandbox=sandbox, unsafe=unsafe)


def open_workbench() -> "Workbench":
    """The same for commands that only look: it loads nothing that plans or judges."""
    from rexbench.settings import read_settings
    from rexbench.workbench import Workbench

    return Workbench(read_settings(os.environ))
