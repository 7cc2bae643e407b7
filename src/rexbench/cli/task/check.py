"""`rexbench task check`."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from rexbench.cli.executors import DaskAddress, ExecutorName, MaxJobs, SlurmOptions, choose_executor
from rexbench.cli.options import CORES, Fresh, Jobs, Json, SandboxOption, Unsafe, VariantSeed, open_bench

if TYPE_CHECKING:
    from rexbench.campaign.checking import Checked


def check(
    tasks: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Tasks to check.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Check the whole suite.")] = False,
    variants: Annotated[int, typer.Option("--variants", min=1, help="Held-out variants to try each patch on.")] = 3,
    seeds: Annotated[int, typer.Option("--seeds", min=0, help="Also run gold under this many other training seeds.")] = 0,
    only: Annotated[list[str] | None, typer.Option("--only", help="Only patches of this name (repeatable).")] = None,
    sample: Annotated[
        int | None,
        typer.Option("--sample", min=0, help="Of near misses, or a scored task's ideas and alternatives, only so many, drawn."),
    ] = None,
    record: Annotated[bool, typer.Option("--record", help="Put a passed check on record in the task's folder.")] = False,
    variant_seed: VariantSeed = None,
    sandbox: SandboxOption = "bubblewrap",
    unsafe: Unsafe = False,
    fresh: Fresh = False,
    jobs: Jobs = CORES,
    executor: ExecutorName = "local",
    slurm: SlurmOptions = "",
    dask: DaskAddress = "",
    max_jobs: MaxJobs = None,
    as_json: Json = False,
) -> None:
    """Is a task fit to judge with? Lint, then every patch of its own over held-out variants.

    Gold and alternatives must pass on all; near misses, the unchanged code, nop and generic attacks on none; and gold must
    repeat itself bit for bit. Killed, it goes on where it was when the same command is given again.

    \b
    rexbench task check othello --variants 20 --record
    rexbench task check --all --variants 1 --sample 4 --fresh
    rexbench task check --all --executor slurm

    Exit status 1 where a check fails.
    """
    from rexbench.api.bench import HeldOut
    from rexbench.campaign.checking import Sample
    from rexbench.cli.environments import prepare_environments
    from rexbench.cli.output import print_findings, print_json
    from rexbench.cli.progress import Shown
    from rexbench.errors import RexbenchError
    from rexbench.task.verified import record_verified

    if bool(tasks) == every:
        raise RexbenchError("Name the tasks to check, or give --all.")
    if only and sample is not None:
        raise RexbenchError("Either name patches with --only, or draw some with --sample.")
    if record and (only or sample is not None):
        raise RexbenchError("Only a check of every patch can be put on record; leave out --only and --sample, or --record.")
    bench = open_bench(sandbox, unsafe)
    reports: list[Checked] = []
    for task in [bench.task(name) for name in tasks or bench.suite.ids()]:
        if not as_json:
            print_findings(bench.lint(task))  # before anything runs: what lint says may be why gold cannot
        prepare_environments([task], bench, quiet=as_json)
        workers = choose_executor(executor, jobs, slurm, max_jobs, dask)
        with Shown(quiet=as_json) as shown:
            checked = bench.check(
                task,
                HeldOut(variants, variant_seed),
                training_seeds=seeds,
                only=only or () if sample is None else Sample(sample),
                fresh=fresh,
                executor=workers,
                on_event=shown,
            )
        reports.append(checked)
        if record and checked.passed:
            record_verified(task, variants)
        if not as_json:
            _print(checked)
    if as_json:
        print_json([asdict(checked) | {"passed": checked.passed} for checked in reports])
    if not all(checked.passed for checked in reports):
        raise SystemExit(1)


def _print(checked: "Checked") -> None:
    from rexbench.cli.output import console, print_table

    rows = [
        [
            row.kind,
            row.name,
            f"{row.accepted}/{row.evaluations}",
            row.expected,
            ", ".join(f"{name} {count}" for name, count in row.outcomes.items()),
            *([] if row.score is None else [f"{row.score:.3f}"]),
            f"{row.seconds:.1f}",
            "ok" if row.passed else "[red]FAIL[/red]",
        ]
        for row in checked.rows
    ]
    scored = ["score"] if any(row.score is not None for row in checked.rows) else []
    columns = ["kind", "patch", "accepted", "want", "outcomes", *scored, "s", ""]
    print_table(checked.task, columns, rows, right=["accepted", "score", "s"])
    repeated = checked.determinism
    console.print(f"gold repeats itself bit for bit on {repeated.identical} of {repeated.variants} variants")
    if checked.clauses:
        console.print(f"clauses held by a near miss that was refused: {checked.held} of {checked.clauses}")
    console.print(f"{checked.task}: {'[green]passed[/green]' if checked.passed else '[red]failed[/red]'}\n")
