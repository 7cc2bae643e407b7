"""`rexbench task diff`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.options import TaskArgument, open_bench


def diff(task: TaskArgument, tree: Annotated[Path, typer.Argument(metavar="DIR", help="An edited workspace.")]) -> None:
    """The patch that an edited workspace amounts to, on standard output.

    \b
    rexbench task diff othello work > my.patch
    """
    from rexbench.workspace.capture import capture_patch

    bench = open_bench()
    captured = capture_patch(bench.task(task), tree.absolute(), bench.home)
    for skipped in captured.skipped:
        print(f"rexbench: left out {skipped}", file=sys.stderr)
    sys.stdout.buffer.write(captured.patch)
