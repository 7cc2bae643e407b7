"""`rexbench curve`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.executors import DaskAddress, ExecutorName, MaxJobs, SlurmOptions, choose_executor
from rexbench.cli.options import CORES, Jobs, Json, SandboxOption, Unsafe, open_bench


def curve(
    campaign: Annotated[Path, typer.Argument(metavar="CAMPAIGN", help="Folder of a campaign whose runs have captures.")],
    sandbox: SandboxOption = "bubblewrap",
    unsafe: Unsafe = False,
    jobs: Jobs = CORES,
    executor: ExecutorName = "local",
    slurm: SlurmOptions = "",
    dask: DaskAddress = "",
    max_jobs: MaxJobs = None,
    as_json: Json = False,
) -> None:
    """Judge what each run had at 5, 10, 20, 40, ... minutes: score over time and money from single runs.

    \b
    rexbench curve my-campaign
    """
    from rexbench.api.curves import judge_curves
    from rexbench.campaign.folder import Campaign
    from rexbench.cli.output import console, outcome_text, print_json, print_table
    from rexbench.cli.progress import Shown

    bench = open_bench(sandbox, unsafe)
    opened = Campaign.open(campaign.absolute())
    with Shown(quiet=as_json) as shown:
        curves = judge_curves(bench, opened, choose_executor(executor, jobs, slurm, max_jobs, dask), shown)
    if as_json:
        print_json({run: [asdict(point) for point in points] for run, points in curves.items()})
        return
    for run, points in curves.items():
        rows = [
            [
                f"{point.minutes:g}",
                "?" if point.usd is None else f"{point.usd:.2f}",
                outcome_text(point.outcome),
                "-" if point.score is None else f"{point.score:.3f}",
            ]
            for point in points
        ]
        print_table(run, ["min", "$", "outcome", "score"], rows, right=["min", "$", "score"])
    if not curves:
        console.print("No run of this campaign has captures; scored tasks have them by default, see docs/agents.md.")
