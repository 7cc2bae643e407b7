"""`rexbench demo`."""

from typing import TYPE_CHECKING, Annotated

import typer

from rexbench.cli.options import CORES, Fresh, Jobs, Json, SandboxOption, Unsafe, VariantSeed, open_bench

if TYPE_CHECKING:
    from rexbench.evaluation.evaluate import Verdict
    from rexbench.task.folder import Task

_CONTROLS = ("gold", "nop")


def demo(
    tasks: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Tasks; all of a tier by default.")] = None,
    frontier: Annotated[bool, typer.Option("--frontier", help="The scored tasks: the unchanged repository beside gold.")] = False,
    variant_seed: VariantSeed = None,
    sandbox: SandboxOption = "bubblewrap",
    unsafe: Unsafe = False,
    fresh: Fresh = False,
    jobs: Jobs = CORES,
    as_json: Json = False,
) -> None:
    """Run every replication task with the controls gold and nop on held-out data, and print the table.

    \b
    rexbench demo
    rexbench demo othello --jobs 1
    rexbench demo --frontier
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
    if frontier:
        chosen = _scored(chosen, tasks or [])
    elif not tasks:
        chosen = [task for task in chosen if not task.spec.figure] or chosen
    prepare_environments(chosen, bench, quiet=as_json)
    wanted = []
    controls = _CONTROLS[:1] if frontier else _CONTROLS
    for task in chosen:
        seeds = bench.seeds(task, HeldOut(seed=variant_seed))
        wanted += references(f"{task.id} reference", task, seeds)
        for control in controls:
            patch = task.vault.gold if control == "gold" else b""
            wanted += [Wanted(f"{task.id} {control}", task, seed, patch) for seed in seeds]
    with Shown(quiet=as_json) as shown:
        results = bench.make(wanted, fresh, Local(jobs), shown)
    made: dict[tuple[str, str], list[Evaluation]] = {(task.id, control): [] for task in chosen for control in controls}
    for one, result in zip(wanted, results, strict=True):
        if isinstance(result, Evaluation) and one.kind == "evaluation":
            made[one.task.id, one.label.rpartition(" ")[2]].append(result)
    verdicts = {key: combine(key[0], found) for key, found in made.items()}
    if as_json:
        print_json([verdict_json(found) | {"agent": control} for (_, control), found in verdicts.items()])
    else:
        _print(chosen, controls, verdicts)
    if any((verdict.outcome == "success") != (control == "gold") for (_, control), verdict in verdicts.items()):
        raise SystemExit(1)


def _scored(tasks: "list[Task]", named: list[str]) -> "list[Task]":
    from rexbench.errors import RexbenchError

    found = [task for task in tasks if task.spec.figure]
    if not found:
        which = f"Of {', '.join(named)}, no task is scored" if named else "This suite has no scored task"
        raise RexbenchError(f"{which}; leave --frontier out, or make one with: rexbench task new ID --scored")
    return found


def _print(tasks: "list[Task]", controls: "tuple[str, ...]", verdicts: "dict[tuple[str, str], Verdict]") -> None:
    from rexbench.cli.output import console, outcome_text, print_table

    scored = [task.id for task in tasks if task.spec.figure]
    figures = ["base", "figure", "score", "ceiling"] if scored else []
    rows = []
    for task in tasks:
        gold = verdicts[task.id, "gold"]
        slowest = max(evaluation.seconds for evaluation in gold.evaluations)
        ends = [outcome_text(verdicts[task.id, control].outcome) for control in controls]
        rows.append([task.id, ends[0], f"{slowest:.1f}", *(_figures(gold) if figures else []), *ends[1:]])
    columns = ["task", "gold", "gold s", *figures, *controls[1:]]
    print_table("Controls on held-out data, judged against live gold", columns, rows, right=["gold s", *figures])
    told = "Gold must succeed and nop must not." if len(controls) > 1 else "Gold must succeed."
    if scored:
        told += " base: the unchanged repository's figure, score 0; figure: gold's; ceiling: of who knows the truth."
    console.print(f"\n{told} Next: rexbench task show ID, rexbench task workspace ID DIR")


def _figures(gold: "Verdict") -> list[str]:
    """The figures of the first variant, and the mean score; empty for tasks that are not scored."""
    figure = gold.evaluations[0].figure
    if figure is None or gold.score is None:
        return [""] * 4
    ceiling = "" if figure.ceiling is None else f"{figure.ceiling:.4g}"
    return [f"{figure.base:.4g}", f"{figure.value:.4g}", f"{gold.score:.2f}", ceiling]
