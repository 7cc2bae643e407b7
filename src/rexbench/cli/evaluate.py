"""`rexbench evaluate`."""

from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.executors import DaskAddress, ExecutorName, MaxJobs, SlurmOptions, choose_executor
from rexbench.cli.options import CORES, Fresh, Jobs, Json, SandboxOption, Unsafe, Variants, VariantSeed, open_bench


def evaluate(
    what: Annotated[
        Path, typer.Argument(metavar="DIR|PATCH|ZIP|JSONL", help="An edited workspace, a patch, a submission or predictions.")
    ],
    task: Annotated[str, typer.Option("--task", help="The task that a workspace or a patch belongs to.")] = "",
    variants: Variants = None,
    out: Annotated[Path | None, typer.Option("--out", help="For ZIP and JSONL: the folder of the campaign that is made.")] = None,
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
    """Judge an edited workspace or a patch: outcome, metrics against live gold, where the logs are.

    A submission archive or a file of predictions is judged as a campaign, for `rexbench report`.

    \b
    rexbench evaluate my-workspace --task othello
    rexbench evaluate fix.patch --task explain-then-translate --variants 3 --json
    rexbench evaluate predictions.jsonl --out judged
    rexbench evaluate submission.zip --out judged

    Exit status: 0 judged (whatever the outcome), 2 wrong call, 3 a fault of the system.
    """
    from rexbench.api.bench import HeldOut

    chosen = choose_executor(executor, jobs, slurm, max_jobs, dask)
    bench = open_bench(sandbox, unsafe)
    held_out = HeldOut(variants, variant_seed)
    if what.suffix in (".zip", ".jsonl"):
        if task or fresh:
            raise typer.BadParameter("is for a workspace or a patch alone", param_hint="--task" if task else "--fresh")
        from rexbench.cli.conducting import conduct_and_print
        from rexbench.interop.judged import judged_campaign

        conduct_and_print(judged_campaign(what, bench, out, held_out.variants, held_out.seed), bench, chosen, as_json)
        return
    if not task:
        raise typer.BadParameter("a workspace or a patch needs --task", param_hint="--task")
    from rexbench.cli.environments import prepare_environments
    from rexbench.cli.output import print_json, print_verdict, verdict_json
    from rexbench.cli.progress import Shown

    found = bench.task(task)
    prepare_environments([found], bench, quiet=as_json)
    patch = bench.read_patch(found, what)
    with Shown(quiet=as_json) as shown:
        verdict = bench.evaluate(found, patch, held_out, fresh=fresh, executor=chosen, on_event=shown)
    folders = [str(bench.store.execution_folder(one.execution)) if one.execution else "" for one in verdict.evaluations]
    if as_json:
        print_json(verdict_json(verdict, folders))
    else:
        print_verdict(verdict, folders)
    if verdict.outcome == "system_fault":
        raise SystemExit(3)
