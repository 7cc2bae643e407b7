"""What `evaluate` and `demo` do."""

from dataclasses import replace
from pathlib import Path

from rexbench.cli.output import console, metric_rows, outcome_text, print_json, print_table, verdict_json
from rexbench.cli.progress import Steps, one_step
from rexbench.errors import UnusablePatch
from rexbench.evaluation.evaluate import Verdict, combine, logs_of
from rexbench.evaluation.execute import Bench
from rexbench.evaluation.parallel import Work, perform_all
from rexbench.places import home, secret
from rexbench.record.model import Evaluation, Execution
from rexbench.record.store import Store
from rexbench.sandbox.choose import choose_sandbox
from rexbench.sandbox.protocol import Sandbox
from rexbench.task.folder import Task, load_task, load_tasks
from rexbench.task.variants import held_out_seeds
from rexbench.workspace.capture import capture_patch
from rexbench.workspace.patch import MAX_PATCH


def evaluate_and_print(
    what: Path,
    name: str,
    variants: int | None,
    variant_seed: int | None,
    sandbox: str,
    unsafe: bool,
    fresh: bool,
    jobs: int,
    as_json: bool,
) -> None:
    task = load_task(name)
    patch = read_patch(task, what)
    bench = Bench(Store(home()), choose_sandbox(sandbox, unsafe), fresh)
    prepare_environments([task], bench.sandbox, quiet=as_json)
    seeds = choose_seeds(task, variants or task.spec.held_out, variant_seed)
    base = Work(str(task.folder), "", None, 0, sandbox=sandbox, unsafe=unsafe, fresh=fresh)
    works = [replace(base, label=f"gold on {seed}", seed=seed) for seed in seeds]
    works += [replace(base, label=f"{what.name} on {seed}", patch=patch, seed=seed) for seed in seeds]
    results = run_with_progress(task.id, works, jobs, quiet=as_json)
    verdict = combine(task.id, [result for result in results if isinstance(result, Evaluation)])
    folders = [str(logs_of(evaluation, bench) or "") for evaluation in verdict.evaluations]
    if as_json:
        print_json(verdict_json(verdict, folders))
    else:
        _print_verdict(verdict, folders)
    if verdict.outcome == "system_fault":
        raise SystemExit(3)


def demo_and_print(
    names: list[str] | None, variant_seed: int | None, sandbox: str, unsafe: bool, fresh: bool, jobs: int, as_json: bool
) -> None:
    tasks = load_tasks(names)
    prepare_environments(tasks, choose_sandbox(sandbox, unsafe), quiet=as_json)
    works: list[Work] = []
    for task in tasks:
        for seed in choose_seeds(task, task.spec.held_out, variant_seed):
            for control, patch in (("reference", None), ("gold", task.vault.gold), ("nop", b"")):
                label = f"{task.id} {control}"
                works.append(Work(str(task.folder), label, patch, seed, sandbox=sandbox, unsafe=unsafe, fresh=fresh))
    results = run_with_progress("demo", works, jobs, quiet=as_json)
    verdicts: dict[tuple[str, str], Verdict] = {}
    for task in tasks:
        for control in ("gold", "nop"):
            label = f"{task.id} {control}"
            made = [
                result
                for work, result in zip(works, results, strict=True)
                if work.label == label and isinstance(result, Evaluation)
            ]
            verdicts[task.id, control] = combine(task.id, made)
    if as_json:
        print_json(
            [
                verdict_json(verdict, [""] * len(verdict.evaluations)) | {"agent": control}
                for (_, control), verdict in verdicts.items()
            ]
        )
    else:
        _print_demo(tasks, verdicts)
    wrong = [key for key, verdict in verdicts.items() if (verdict.outcome == "success") != (key[1] == "gold")]
    if wrong:
        raise SystemExit(1)


def read_patch(task: Task, what: Path) -> bytes:
    """The patch in a file, or the one that an edited workspace amounts to."""
    if what.is_dir():
        return capture_patch(task, what).patch
    if not what.is_file():
        raise UnusablePatch(f"{what} is neither a folder nor a patch file.")
    if what.stat().st_size > MAX_PATCH:
        raise UnusablePatch(f"{what} is {what.stat().st_size} bytes long; at most {MAX_PATCH} are taken.")
    return what.read_bytes()


def choose_seeds(task: Task, count: int, variant_seed: int | None) -> list[int]:
    """Held-out seeds from this machine's secret, or fixed ones for tests."""
    if variant_seed is not None:
        return [variant_seed + at for at in range(count)]
    return held_out_seeds(task.id, count, secret())


def prepare_environments(tasks: list[Task], sandbox: Sandbox, quiet: bool) -> None:
    """Build what is missing before the first experiment, and say so: the first time takes a minute or two."""
    for name in sorted({task.spec.environment for task in tasks}):
        with one_step(f"preparing the environment {name}", quiet):
            sandbox.prepare(name)


def run_with_progress(title: str, works: list[Work], jobs: int, quiet: bool) -> list[Evaluation | Execution]:
    """Do the work, showing what runs and what is left."""
    with Steps(title, len(works), quiet) as steps:

        def done(work: Work, result: Evaluation | Execution) -> None:
            steps.done(work.label, result.outcome if isinstance(result, Evaluation) else result.ending)

        return perform_all(works, jobs, lambda work: steps.started(work.label), done)


def _print_verdict(verdict: Verdict, folders: list[str]) -> None:
    console.print(f"{verdict.task}: {outcome_text(verdict.outcome)}")
    for evaluation, folder in zip(verdict.evaluations, folders, strict=True):
        console.print(f"\nvariant {evaluation.variant_seed}: {outcome_text(evaluation.outcome)}  ({evaluation.seconds:.1f} s)")
        if evaluation.detail:
            console.print(f"  {evaluation.detail}", markup=False)
        if evaluation.exception:
            console.print(f"  {evaluation.exception} at {evaluation.frame or 'an unknown place'}", markup=False)
        if evaluation.metrics:
            print_table(
                "", ["metric", "value", "live gold", "accepted", "inside"], metric_rows(evaluation), right=["value", "live gold"]
            )
        if evaluation.landmarks:
            console.print(
                "  landmarks: " + ", ".join(f"{name} {'yes' if held else 'no'}" for name, held in evaluation.landmarks.items())
            )
        files = f"file recall {evaluation.file_recall:.2f}, precision {evaluation.file_precision:.2f}"
        console.print(f"  {files}, {evaluation.lines_changed} lines changed")
        if folder:
            console.print(f"  logs: {folder}", soft_wrap=True)


def _print_demo(tasks: list[Task], verdicts: dict[tuple[str, str], Verdict]) -> None:
    rows = []
    for task in tasks:
        gold, nop = verdicts[task.id, "gold"], verdicts[task.id, "nop"]
        slowest = max(evaluation.seconds for evaluation in gold.evaluations)
        rows.append([task.id, outcome_text(gold.outcome), f"{slowest:.1f}", outcome_text(nop.outcome)])
    print_table("Controls on held-out data, judged against live gold", ["task", "gold", "gold s", "nop"], rows, right=["gold s"])
    console.print("\nGold must succeed and nop must not. Next: rexbench task show ID, rexbench task workspace ID DIR")
