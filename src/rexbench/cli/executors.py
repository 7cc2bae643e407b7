"""From options to an executor: this machine, a Slurm cluster or a Dask cluster."""

from typing import TYPE_CHECKING, Annotated

import typer

from rexbench.errors import RexbenchError

if TYPE_CHECKING:
    from rexbench.campaign.executors.protocol import Executor

EXECUTORS = ("local", "slurm", "dask")

ExecutorName = Annotated[str, typer.Option("--executor", help="Where steps run: local, slurm or dask.")]
SlurmOptions = Annotated[
    str, typer.Option("--slurm", metavar="KEY=VALUE,...", help="sbatch's options, such as partition=gpu,gres=gpu:1,time=12:00:00.")
]
DaskAddress = Annotated[str, typer.Option("--dask", metavar="ADDRESS", help="A Dask scheduler, such as tcp://scheduler:8786.")]
MaxJobs = Annotated[
    int | None,
    typer.Option("--max-jobs", min=1, help="Steps on the cluster at a time.", show_default="100 on Slurm, the workers on Dask"),
]


def choose_executor(name: str, jobs: int, slurm: str, max_jobs: int | None, dask: str) -> "Executor":
    """The executor that the options ask for; what belongs to another one is a mistake and said so."""
    if name not in EXECUTORS:
        raise RexbenchError(f"There is no executor {name!r}; there are: {', '.join(EXECUTORS)}.")
    for option, given, belongs in (("--slurm", slurm, "slurm"), ("--dask", dask, "dask")):
        if given and name != belongs:
            raise RexbenchError(f"{option} says nothing to --executor {name}; add --executor {belongs}, or leave it out.")
    if max_jobs and name == "local":
        raise RexbenchError("--max-jobs is for a cluster; on this machine it is --jobs.")
    if name == "slurm":
        from rexbench.campaign.executors.slurm.executor import Slurm
        from rexbench.campaign.executors.slurm.options import read_slurm_options

        return Slurm(read_slurm_options(slurm), max_jobs or 100)
    if name == "dask":
        from rexbench.campaign.executors.dask import Dask

        if not dask:
            raise RexbenchError("--executor dask needs a scheduler; give its address with --dask tcp://HOST:8786.")
        return Dask(dask, max_jobs)
    from rexbench.campaign.executors.local import Local

    return Local(jobs)
