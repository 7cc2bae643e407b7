"""`rexbench import harbor`."""

from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.executors import DaskAddress, ExecutorName, MaxJobs, SlurmOptions, choose_executor
from rexbench.cli.options import CORES, Jobs, Json, SandboxOption, Unsafe, Variants, VariantSeed, open_bench


def harbor(
    job: Annotated[Path, typer.Argument(metavar="JOB", help="Folder of a job of Harbor.")],
    out: Annotated[Path | None, typer.Option("--out", help="Folder of the campaign; under rexbench's home by default.")] = None,
    variants: Variants = None,
    variant_seed: VariantSeed = None,
    sandbox: SandboxOption = "bubblewrap",
    unsafe: Unsafe = False,
    jobs: Jobs = CORES,
    executor: ExecutorName = "local",
    slurm: SlurmOptions = "",
    dask: DaskAddress = "",
    max_jobs: MaxJobs = None,
    as_json: Json = False,
) -> None:
    """Judge what the trials of a job of Harbor left, as a campaign with their trajectories. Rewards in the job are not looked at.

    \b
    rexbench import harbor jobs/2026-01-31__12-00-00 --out judged
    """
    from rexbench.cli.conducting import conduct_and_print
    from rexbench.interop.harbor.jobs import read_job
    from rexbench.interop.judged import judging

    chosen = choose_executor(executor, jobs, slurm, max_jobs, dask)
    bench = open_bench(sandbox, unsafe)
    campaign = judging(read_job(job.absolute(), bench), job.name, bench, out, variants, variant_seed)
    conduct_and_print(campaign, bench, chosen, as_json)
