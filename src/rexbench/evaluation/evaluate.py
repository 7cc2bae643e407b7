"""A patch on held-out data against live gold: the outcome, the score, and the three metrics of the benchmark.

The reference comes first: where gold itself (and, where it is needed, the unchanged repository) does not run, or what it leaves is
not read without complaint, there is no verdict.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rexbench.digest import digest_value
from rexbench.errors import SystemFault
from rexbench.evaluation.compare import agreement_metric, compare
from rexbench.evaluation.execute import Trial, execute
from rexbench.evaluation.guards import broken_guards
from rexbench.evaluation.reading import BrokenContract
from rexbench.evaluation.score import judge_figure
from rexbench.evaluation.tables import agrees, compare_table
from rexbench.record.clock import now
from rexbench.record.model import Evaluation, Execution, FigureVerdict, MetricVerdict, Outcome, TableVerdict
from rexbench.task.folder import Task
from rexbench.task.schema import TaskSpec
from rexbench.workbench import Workbench
from rexbench.workspace.patch import summarise


@dataclass(frozen=True)
class Verdict:
    """A patch's evaluations on the held-out variants that a verdict needs, taken together."""

    task: str
    outcome: Outcome
    """success where every evaluation is (of a scored task: where the mean score is high enough); else the first that is not."""
    evaluations: tuple[Evaluation, ...]

    @property
    def first(self) -> Evaluation:
        """The first evaluation that has the verdict's outcome; the first of all where the verdict is over their mean."""
        return next((found for found in self.evaluations if found.outcome == self.outcome), self.evaluations[0])

    @property
    def execution_success(self) -> bool:
        return all(evaluation.execution_success for evaluation in self.evaluations)

    @property
    def score(self) -> float | None:
        """Mean over the variants; None for replication tasks."""
        scores = [evaluation.score for evaluation in self.evaluations if evaluation.score is not None]
        return sum(scores) / len(scores) if scores else None

    @property
    def metrics(self) -> tuple[MetricVerdict, ...]:
        """Of the evaluation that speaks for the verdict."""
        return self.first.metrics


@dataclass(frozen=True)
class Compared:
    """An execution laid beside live gold and, where it is needed, the unchanged repository."""

    metrics: tuple[MetricVerdict, ...] = ()
    tables: tuple[TableVerdict, ...] = ()
    broken_guards: tuple[str, ...] = ()
    figure: FigureVerdict | None = None
    defect: str = ""
    """Why an artefact that the core itself reads breaks the contract."""


def live_gold(task: Task, seed: int, bench: Workbench, fresh: bool = False) -> Execution:
    """Gold's own run on this variant, this machine and this environment: cached, never typed in."""
    return _sound(execute(Trial(task, task.vault.gold, seed, "reference"), bench, fresh), "gold itself")


def live_base(task: Task, seed: int, bench: Workbench, fresh: bool = False) -> Execution:
    """The unchanged repository's run on this variant."""
    return _sound(execute(Trial(task, b"", seed, "base"), bench, fresh), "the unchanged repository")


def _sound(reference: Execution, what: str) -> Execution:
    where = f"{reference.inputs.task}: {what} does not run on variant {reference.inputs.variant_seed} here"
    if reference.ending != "ran":
        raise SystemFault(f"{where} ({reference.ending}: {reference.detail}).")
    for guard in reference.guards:
        if guard.ending != "ran":
            raise SystemFault(f"{where}: its guard {guard.name} fails ({guard.detail}).")
    return reference


def evaluate(trial: Trial, bench: Workbench, fresh: bool = False) -> Evaluation:
    """Judge a patch on one held-out variant. A fault of ours is an evaluation with the outcome system_fault, and is not kept."""
    task = trial.task
    try:
        # Live gold is renewed by whoever plans the work, once per variant, not by every evaluation that leans on it.
        gold = live_gold(task, trial.seed, bench)
        base = live_base(task, trial.seed, bench) if task.spec.needs_base else None
        execution = execute(replace(trial, gold_seconds=gold.cpu_seconds), bench, fresh)
        compared = _compare(task.spec, execution, gold, base, bench) if execution.ending == "ran" else Compared()
    except (SystemFault, OSError) as error:
        return system_fault(task.id, trial.seed, error)
    evaluation = decide(task.spec, execution, gold.key, compared, _gold_files(task.vault.gold), now())
    if fresh or bench.store.find_evaluation(evaluation.key) is None:
        bench.store.keep_evaluation(evaluation)
    return evaluation


def combine(task_id: str, evaluations: Sequence[Evaluation]) -> Verdict:
    """A fault of ours on any variant leaves the verdict open; of a scored task, the mean score decides over variants that ran."""
    outcomes: list[Outcome] = [evaluation.outcome for evaluation in evaluations]
    if "system_fault" in outcomes:
        return Verdict(task_id, "system_fault", tuple(evaluations))
    outcome: Outcome = next((outcome for outcome in outcomes if outcome != "success"), "success")
    figures = [evaluation.figure for evaluation in evaluations if evaluation.figure]
    if figures and set(outcomes) <= {"success", "below_gold"}:
        mean = sum(figure.score for figure in figures) / len(figures)
        outcome = "success" if mean >= figures[0].accepted_from else "below_gold"
    return Verdict(task_id, outcome, tuple(evaluations))


def _compare(spec: TaskSpec, execution: Execution, gold: Execution, base: Execution | None, bench: Workbench) -> Compared:
    """Lay what a run left beside what the references left, from the records' own files."""
    folders = {run.key: bench.store.execution_folder(run.key) for run in (execution, gold, *([base] if base else []))}
    try:
        tables = tuple(
            compare_table(table, folders[execution.key] / "artefacts", folders[gold.key] / "artefacts") for table in spec.tables
        )
    except BrokenContract as error:
        return Compared(defect=str(error))
    references = {"gold": (gold, folders[gold.key])} | ({"base": (base, folders[base.key])} if base else {})
    broken = tuple(broken_guards(spec, execution, folders[execution.key], references))
    if spec.figure:
        assert base is not None
        return Compared((), tables, broken, judge_figure(spec, execution, base, gold))
    metrics = compare(spec, execution.metrics, gold.metrics)
    shares = {table.agreement: found for table, found in zip(spec.tables, tables, strict=True) if table.agreement}
    metrics += tuple(agreement_metric(spec, name, found) for name, found in shares.items())
    return Compared(metrics, tables, broken)


def decide(
    spec: TaskSpec, execution: Execution, gold_key: str, compared: Compared, gold_files: frozenset[str], written_at: str
) -> Evaluation:
    """The outcome from what is on record; pure."""
    outcome, detail = _outcome(spec, execution, compared)
    shared = len(gold_files & set(execution.files))
    tolerance = spec.calibration.model_dump() if spec.calibration else None
    nothing = 0.0 if spec.kind == "scored" else None
    return Evaluation(
        key=digest_value([execution.key, gold_key, tolerance, spec.held_out, [table.model_dump() for table in spec.tables]]),
        execution=execution.key,
        reference=gold_key,
        task=spec.id,
        variant_seed=execution.inputs.variant_seed,
        outcome=outcome,
        detail=detail,
        exception=execution.exception,
        frame=execution.frame,
        execution_success=execution.status == 0 and bool(execution.artefacts),
        metrics=compared.metrics,
        landmarks=execution.landmarks,
        figure=compared.figure,
        score=compared.figure.score if compared.figure and outcome in ("success", "below_gold") else nothing,
        tables=compared.tables,
        broken_guards=compared.broken_guards,
        claim=execution.claim,
        file_recall=shared / len(gold_files) if gold_files else 1.0,
        file_precision=shared / len(execution.files) if execution.files else 0.0,
        lines_changed=execution.lines_added + execution.lines_removed,
        seconds=execution.seconds,
        written_at=written_at,
    )


def _outcome(spec: TaskSpec, execution: Execution, compared: Compared) -> tuple[Outcome, str]:
    if execution.ending != "ran":
        return execution.ending, execution.detail
    if compared.defect:
        return "bad_artifact", compared.defect
    if compared.broken_guards:
        return "broken_base", "; ".join(compared.broken_guards)[:600]
    if compared.figure:
        short = compared.figure.score < compared.figure.accepted_from
        return ("below_gold" if short else "success"), f"score {compared.figure.score:.3f}"
    outside = [metric.name for metric in compared.metrics if not metric.accepted]
    if outside:
        return "wrong_result", f"{len(outside)} of {len(compared.metrics)} metrics are not gold's: {', '.join(outside[:6])}"
    must = {table.path: table.least for table in spec.tables if not table.agreement}
    differing = [table for table in compared.tables if table.path in must and not agrees(table, must[table.path])]
    if differing:
        return "wrong_result", f"{differing[0].path} is not gold's: {'; '.join(differing[0].differences)}"[:600]
    return "success", ""


@cache
def _gold_files(gold: bytes) -> frozenset[str]:
    return frozenset(summarise(gold, Path("/")).files)


def system_fault(task: str, seed: int, error: Exception) -> Evaluation:
    """The evaluation that did not come about, through no fault of the patch."""
    return Evaluation(
        key="",
        execution="",
        reference="",
        task=task,
        variant_seed=seed,
        outcome="system_fault",
        detail=str(error),
        exception=type(error).__name__,
        frame=None,
        execution_success=False,
        metrics=(),
        landmarks={},
        file_recall=0.0,
        file_precision=0.0,
        lines_changed=0,
        seconds=0.0,
        written_at=now(),
    )
