"""Handing calls to Slurm by submitit."""

import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from rexbench.errors import RexbenchError


def submit_calls(
    folder: Path, name: str, token: str, parameters: dict[str, Any], calls: list[tuple[Callable[..., None], tuple[Any, ...]]]
) -> list[str]:
    """Hand calls to Slurm, one job each; the numbers of the jobs, in order."""
    submitit = require_submitit()
    executor = submitit.SlurmExecutor(folder)
    executor.update_parameters(
        job_name=name,
        comment=token,
        array_parallelism=len(calls),
        use_srun=False,  # one task on one node needs no step of its own
        setup=["export PYTHONSAFEPATH=1"],  # it imports nothing from the folder it starts in
        **parameters,
    )
    with executor.batch():
        jobs = [executor.submit(function, *given) for function, given in calls]
    return [job.job_id for job in jobs]


def require_submitit() -> ModuleType:
    """submitit, or how to get it."""
    os.environ.setdefault("SUBMITIT_LOG_LEVEL", "WARNING")
    try:
        import submitit
    except ImportError as error:
        raise RexbenchError("--executor slurm needs submitit; install it with: pip install 'rexbench[slurm]'") from error
    return submitit
