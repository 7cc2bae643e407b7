"""A patch on held-out data against live gold: the outcome, and the three metrics of the benchmark.

The reference comes first: where gold itself does not run, or its artefacts are not read without complaint, there is no verdict.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rexbench.digest import digest_value
from rexbench.errors import SystemFault
from rexbench.evaluation.compare import compare
from rexbench.evaluation.execute import Trial, execute
from rexbench.record.clock import now
from rexbench.record.model import Evaluation, Execution, MetricVerdict, Outcome
from rexbench.task.folder import Task
from rexbench.task.schema import TaskSpec
from rexbench.workbench import Workbench
from rexbench.workspace.patch import summarise


@dataclass(frozen=True)
class Verdict:
    """A patch's evaluations on the held-out variants that a verdict needs, taken together."""

    task: str
    outcome: Outcome
    """success where every evaluation is; else the outcome of the first that is not."""
    evaluations: tuple[Evaluation, ...]

    @property
    def first(self) -> Evaluation:
        """The first evaluation that has the verdict's outcome."""
        return next(found for found in self.evaluations if found.outcome == self.outcome)

    @property
    def execution_success(self) -> bool:
        return all(evaluation.execution_success for evaluation in self.evaluations)


def live_gold(task: Task, seed: int, bench: Workbench, fresh: bool = False) -> Execution:
    """Gold's own run on this variant, this machine and this environment: cached, never typed in."""
    reference = execute(Trial(task, task.vault.gold, seed, "reference"), bench, fresh)
    if reference.ending != "ran":
        raise SystemFault(f"{task.id}: gold itself does not run on variant {seed} here ({reference.ending}: {reference.detail}).")
    return reference


def evaluate(trial: Trial, bench: Workbench, fresh: bool = False) -> Evaluation:
    """Judge a patch on one held-out variant. A fault of ours is an evaluation with the outcome system_fault, and is not kept."""
    try:
        # Live gold is renewed by whoever plans the work, once per variant, not by every evaluation that leans on it.
        reference = live_gold(trial.task, trial.seed, bench)
        execution = execute(trial, bench, fresh)
    except (SystemFault, OSError) as error:
        return system_fault(trial.task.id, trial.seed, error)
    evaluation = decide(trial.task.spec, execution, reference, _gold_files(trial.task.vault.gold), now())
    if fresh or bench.store.find_evaluation(evaluation.key) is None:
        bench.store.keep_evaluation(evaluation)
    return evaluation


def combine(task_id: str, evaluations: Sequence[Evaluation]) -> Verdict:
    """A fault of ours on any variant leaves the verdict open; else the first outcome that is not success is the verdict."""
    outcomes: list[Outcome] = [evaluation.outcome for evaluation in evaluations]
    if "system_fault" in outcomes:
        return Verdict(task_id, "system_fault", tuple(evaluations))
    return Verdict(task_id, next((outcome for outcome in outcomes if outcome != "success"), "success"), tuple(evaluations))


def decide(spec: TaskSpec, execution: Execution, reference: Execution, gold_files: frozenset[str], written_at: str) -> Evaluation:
    """The outcome from what is on record; pure."""
    metrics = compare(spec, execution.metrics, reference.metrics) if execution.ending == "ran" else ()
    outcome, detail = _outcome(execution, metrics)
    shared = len(gold_files & set(execution.files))
    tolerance = spec.calibration.model_dump() if spec.calibration else None
    return Evaluation(
        key=digest_value([execution.key, reference.key, tolerance, spec.held_out]),
        execution=execution.key,
        reference=reference.key,
        task=spec.id,
        variant_seed=execution.inputs.variant_seed,
        outcome=outcome,
        detail=detail,
        exception=execution.exception,
        frame=execution.frame,
        execution_success=execution.status == 0 and bool(execution.artefacts),
        metrics=metrics,
        landmarks=execution.landmarks,
        file_recall=shared / len(gold_files) if gold_files else 1.0,
        file_precision=shared / len(execution.files) if execution.files else 0.0,
        lines_changed=execution.lines_added + execution.lines_removed,
        seconds=execution.seconds,
        written_at=written_at,
    )


def _outcome(execution: Execution, metrics: tuple[MetricVerdict, ...]) -> tuple[Outcome, str]:
    if execution.ending != "ran":
        return execution.ending, execution.detail
    outside = [metric.name for metric in metrics if not metric.accepted]
    if not outside:
        return "success", ""
    return "wrong_result", f"{len(outside)} of {len(metrics)} metrics are not gold's: {', '.join(outside[:6])}"


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
