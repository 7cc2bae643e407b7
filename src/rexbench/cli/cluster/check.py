"""`rexbench cluster check`."""

from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.executors import DaskAddress, ExecutorName, SlurmOptions
from rexbench.cli.options import Json, SandboxOption, open_bench


def check(
    executor: ExecutorName = "slurm",
    slurm: SlurmOptions = "",
    dask: DaskAddress = "",
    sandbox: SandboxOption = "bubblewrap",
    out: Annotated[Path | None, typer.Option("--out", help="Where campaigns will be kept, if not under rexbench's home.")] = None,
    wait: Annotated[float, typer.Option("--wait", min=1, help="Seconds that the probe may take, the queue included.")] = 600,
    as_json: Json = False,
) -> None:
    """Send a probe to a node and say what works there: sandbox, environment, shared folder, clock, GPU; and what is missing.

    \b
    rexbench cluster check --executor slurm --slurm partition=gpu,gres=gpu:1
    rexbench cluster check --executor dask --dask tcp://scheduler:8786

    Exit status: 0 a campaign can run there, 1 something is missing, 2 wrong call, 3 the cluster did not answer.
    """
    from rexbench.cli.cluster.probing import Asked, check_and_print

    check_and_print(Asked(executor, slurm, dask, out, wait), open_bench(sandbox), as_json)
