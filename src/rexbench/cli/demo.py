"""`rexbench demo`."""

from typing import TYPE_CHECKING, Annotated

import typer

from rexbench.cli.options import CORES, Fresh, Jobs, Json, SandboxOption, Unsafe, VariantSeed, open_bench

if TYPE_CHECKING:
    from rexbench.evaluation.evaluate import Verdict
    from rexbench.task.folder import Task

_CONTROLS = ("gold", "nop")


def demo(
    tasks: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Tasks; all of them by default.")] = None,
    variant_seed: VariantSeed = None,
    sandbox: SandboxOption = "bubblewrap",
    unsafe: Unsafe = False,
    fresh: Fresh = False,
    jobs: Jobs = CORES,
    as_json: Json = False,
) -> None:
    """Run every task with the controls gold and nop on held-out data, and print the table.

    \b
    rexbench demo
    rexbench demo othello --jobs 1
    """
    from rexbench.api.bench import HeldOut
    from rexbench.campaign.executors.local import Local
    from rexbench.campaign.trials import Wanted, references
    from rexbench.cli.environments import prepare_environments
    from rexbench.cli.output import print_json, verdict_json
    from rexbench.cli.progress import Shown
    from rexbench.evaluation.evaluate import combine
    from rexbench.record.model import Evaluation

    bench = open_bench(sandbox, unsafe)
    chosen = [bench.task(name) for name in tasks or bench.suite.ids()]
    prepare_environments(chosen, bench, quiet=as_json)
    wanted = []
    for task in chosen:
        seeds = bench.seeds(task, HeldOut(seed=variant_seed))
        wanted += references(f"{task.id} reference", task, seeds)
        for control, patch in zip(_CONTROLS, (task.vault.gold, b""), strict=True):
            wanted += [Wanted(f"{task.id} {control}", task, seed, patch) for seed in seeds]
    with Shown(quiet=as_json) as shown:
        results = bench.make(wanted, fresh, Local(jobs), shown)
    made: dict[tuple[str, str], list[Evaluation]] = {(task.id, control): [] for task in chosen for control in _CONTROLS}
    for one, result in zip(wanted, results, strict=True):
        if isinstance(result, Evaluation) and one.kind == "evaluation":
            made[one.task.id, one.label.rpartition(" ")[2]].append(result)
    verdicts = {key: combine(key[0], found) for key, found in made.items()}
    if as_json:
        print_json([verdict_json(found) | {"agent": control} for (_, control), found in verdicts.items()])
    else:
        _print(chosen, verdicts)
    if any((verdict.outcome == "success") != (control == "gold") for (_, control), verdict in verdicts.items()):
        raise SystemExit(1)


def _print(tasks: "list[Task]", verdicts: "dict[tuple[str, str], Verdict]") -> None:
    from rexbench.cli.output import console, outcome_text, print_table

    rows = []
    for task in tasks:
        gold, nop = (verdicts[task.id, control] for control in _CONTROLS)
        slowest = max(evaluation.seconds for evaluation in gold.evaluations)
        rows.append([task.id, outcome_text(gold.outcome), f"{slowest:.1f}", outcome_text(nop.outcome)])
    print_table("Controls on held-out data, judged against live gold", ["task", "gold", "gold s", "nop"], rows, right=["gold s"])
    console.print("\nGold must succeed and nop must not. Next: rexbench task show ID, rexbench task workspace ID DIR")
