"""What `task check` and `task calibrate` do."""

from dataclasses import asdict, replace

from rexbench.cli.evaluating import choose_seeds, prepare_environments, run_with_progress
from rexbench.cli.output import console, print_findings, print_json, print_table
from rexbench.errors import RexbenchError
from rexbench.evaluation.calibrate import calibration_of, plan_seeds, write_calibration
from rexbench.evaluation.check import CheckRow, Determinism, candidates, determinism, plan, summarise_check
from rexbench.evaluation.compare import half_width
from rexbench.evaluation.execute import Bench
from rexbench.evaluation.parallel import Work
from rexbench.places import home
from rexbench.record.model import Execution
from rexbench.record.store import Store
from rexbench.sandbox.choose import choose_sandbox
from rexbench.task.folder import Task, load_task, load_tasks
from rexbench.task.lint import lint
from rexbench.task.verified import record_verified


def check_and_print(
    names: list[str],
    every: bool,
    variants: int,
    training_seeds: int,
    only: list[str],
    record: bool,
    variant_seed: int | None,
    sandbox: str,
    unsafe: bool,
    fresh: bool,
    jobs: int,
    as_json: bool,
) -> None:
    if bool(names) == every:
        raise RexbenchError("Name the tasks to check, or give --all.")
    if record and only:
        raise RexbenchError("Only a check of every patch can be put on record; leave out --only or --record.")
    bench = Bench(Store(home()), choose_sandbox(sandbox, unsafe), fresh=fresh)
    reports = []
    for task in load_tasks(names or None):
        findings = lint(task)
        if not as_json:
            print_findings(findings)  # before anything runs: what lint says may be why gold cannot
        prepare_environments([task], bench.sandbox, quiet=as_json)
        tried = [candidate for candidate in candidates(task, bench) if not only or candidate.name in only]
        if not tried:
            raise RexbenchError(f"{task.id} has no patch called {' or '.join(only)}.")
        base = Work(str(task.folder), "", None, 0, sandbox=sandbox, unsafe=unsafe, fresh=fresh)
        works = plan(task, tried, choose_seeds(task, variants, variant_seed), training_seeds, base)
        results = run_with_progress(task.id, works, jobs, quiet=as_json)
        rows = summarise_check(tried, works, results)
        repeated = determinism(task, works, results)
        passed = not any(finding.level == "error" for finding in findings) and all(row.passed for row in rows) and repeated.passed
        reports.append(
            {
                "task": task.id,
                "passed": passed,
                "lint": [asdict(finding) for finding in findings],
                "rows": [asdict(row) for row in rows],
            }
        )
        reports[-1]["determinism"] = asdict(repeated)
        if record and passed:
            record_verified(task, variants)
        if not as_json:
            _print_check(task, rows, repeated, passed)
    if as_json:
        print_json(reports)
    if not all(report["passed"] for report in reports):
        raise SystemExit(1)


def calibrate_and_print(
    name: str, variants: int, seeds: int, sandbox: str, unsafe: bool, fresh: bool, jobs: int, as_json: bool
) -> None:
    task = load_task(name)
    prepare_environments([task], choose_sandbox(sandbox, unsafe), quiet=as_json)
    variant_seeds, training = plan_seeds(task.spec, variants, seeds)
    base = Work(str(task.folder), "", task.vault.gold, 0, compared=False, sandbox=sandbox, unsafe=unsafe, fresh=fresh)
    works = [
        replace(base, label=f"gold, variant {variant}, seed {seed}", seed=variant, training_seed=seed)
        for variant in variant_seeds
        for seed in training
    ]
    results = run_with_progress(f"calibrate {task.id}", works, jobs, quiet=as_json)
    calibration = calibration_of(task.spec, [result for result in results if isinstance(result, Execution)])
    write_calibration(task, calibration)
    task = load_task(name)
    if as_json:
        print_json(calibration.model_dump())
        return
    rows = [
        [metric.name, f"{calibration.sd[metric.name]:.3g}", f"{half_width(task.spec, metric):.3g}"]
        for metric in task.spec.metrics
        if metric.kind == "noisy"
    ]
    if rows:
        print_table("Spread over training seeds", ["metric", "sd", "accepted +-"], rows, right=["sd", "accepted +-"])
    used = f"{calibration.gold_seconds:g} s and {calibration.gold_memory_mb} MB"
    console.print(f"gold takes at most {used}; the time limit is {task.spec.limits.seconds:g} s")
    console.print(f"written to {task.folder / 'task.toml'}", soft_wrap=True)


def _print_check(task: Task, rows: list[CheckRow], repeated: Determinism, passed: bool) -> None:
    shown = [
        [
            row.kind,
            row.name,
            f"{row.accepted}/{row.evaluations}",
            row.expected,
            _outcomes(row),
            f"{row.seconds:.1f}",
            "ok" if row.passed else "[red]FAIL[/red]",
        ]
        for row in rows
    ]
    print_table(task.id, ["kind", "patch", "accepted", "want", "outcomes", "s", ""], shown, right=["accepted", "s"])
    console.print(f"gold repeats itself bit for bit on {repeated.identical} of {repeated.variants} variants")
    console.print(f"{task.id}: {'[green]passed[/green]' if passed else '[red]failed[/red]'}\n")


def _outcomes(row: CheckRow) -> str:
    return ", ".join(f"{name} {count}" for name, count in row.outcomes.items())
