"""`rexbench task calibrate`."""

from typing import Annotated

import typer

from rexbench.cli.executors import DaskAddress, ExecutorName, MaxJobs, SlurmOptions, choose_executor
from rexbench.cli.options import Fresh, Jobs, Json, SandboxOption, TaskArgument, Unsafe, open_bench


def calibrate(
    task: TaskArgument,
    variants: Annotated[int, typer.Option("--variants", min=1, help="Variants to run gold on.")] = 3,
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="Training seeds per variant, where a metric is noisy.")] = 5,
    sandbox: SandboxOption = "bubblewrap",
    unsafe: Unsafe = False,
    fresh: Fresh = False,
    jobs: Jobs = 1,
    executor: ExecutorName = "local",
    slurm: SlurmOptions = "",
    dask: DaskAddress = "",
    max_jobs: MaxJobs = None,
    as_json: Json = False,
) -> None:
    """Run gold over training seeds and variants; write its spread, time and limit into task.toml.

    \b
    rexbench task calibrate othello --variants 4 --seeds 6
    """
    from rexbench.cli.environments import prepare_environments
    from rexbench.cli.output import console, print_json, print_table
    from rexbench.cli.progress import Shown
    from rexbench.evaluation.compare import half_width

    bench = open_bench(sandbox, unsafe)
    prepare_environments([bench.task(task)], bench, quiet=as_json)
    workers = choose_executor(executor, jobs, slurm, max_jobs, dask)
    with Shown(quiet=as_json) as shown:
        calibration = bench.calibrate(task, variants, seeds, fresh=fresh, executor=workers, on_event=shown)
    if as_json:
        print_json(calibration.model_dump())
        return
    found = bench.task(task)
    rows = [
        [metric.name, f"{calibration.sd[metric.name]:.3g}", f"{half_width(found.spec, metric):.3g}"]
        for metric in found.spec.metrics
        if metric.kind == "noisy"
    ]
    if rows:
        print_table("Spread over training seeds", ["metric", "sd", "accepted +-"], rows, right=["sd", "accepted +-"])
    used = f"{calibration.gold_seconds:g} s and {calibration.gold_memory_mb} MB"
    console.print(f"gold takes at most {used}; the time limit is {found.spec.limits.seconds:g} s")
    console.print(f"written to {found.folder / 'task.toml'}", soft_wrap=True)
