"""Options that several commands share."""

import os
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON value for machines, and nothing else.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Experiments at a time; each uses one core.", show_default="cores")]
SandboxOption = Annotated[str, typer.Option("--sandbox", help="bubblewrap, docker, podman or process (needs --unsafe).")]
Unsafe = Annotated[bool, typer.Option("--unsafe", help="Allow the sandbox 'process', which isolates nothing.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Run again what is already on record; the old record is set aside.")]
VariantSeed = Annotated[
    int | None, typer.Option("--variant-seed", help="Fix the first held-out seed instead of drawing it from the secret.")
]
TaskArgument = Annotated[str, typer.Argument(metavar="ID", help="Name of a task, or a path to its folder.")]

CORES = max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
"""Cores that this process may use; one experiment each by default."""
