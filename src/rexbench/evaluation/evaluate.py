"""A patch on held-out data against live gold: the outcome, and the three metrics of the benchmark."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rexbench.digest import digest_value
from rexbench.errors import SystemFault
from rexbench.evaluation.compare import compare
from rexbench.evaluation.execute import Bench, execute
from rexbench.record.clock import now
from rexbench.record.model import Evaluation, Execution, Outcome
from rexbench.task.folder import Task
from rexbench.workspace.patch import summarise


@dataclass(frozen=True)
class Verdict:
    """A patch's evaluations on the held-out variants that a verdict needs, taken together."""

    task: str
    outcome: Outcome
    """success where every evaluation is; else the outcome of the first that is not."""
    evaluations: tuple[Evaluation, ...]

    @property
    def execution_success(self) -> bool:
        return all(evaluation.execution_success for evaluation in self.evaluations)


def live_gold(task: Task, seed: int, bench: Bench) -> Execution:
    """Gold's own run on this variant, this machine and this environment: cached, never typed in."""
    reference = execute(task, task.vault.gold, seed, bench, role="reference")
    if reference.ending != "ran":
        raise SystemFault(f"{task.id}: gold itself does not run on variant {seed} here ({reference.ending}: {reference.detail}).")
    return reference


def evaluate(task: Task, patch: bytes, seed: int, bench: Bench, training_seed: int | None = None) -> Evaluation:
    """Judge a patch on one held-out variant. A fault of ours is an evaluation with the outcome system_fault, and is not kept."""
    try:
        execution = execute(task, patch, seed, bench, training_seed=training_seed)
        # Live gold is renewed by whoever plans the work, once per variant, not by every evaluation that leans on it.
        reference = live_gold(task, seed, replace(bench, fresh=False)) if execution.ending == "ran" else None
    except (SystemFault, OSError) as error:
        return _system_fault(task, seed, error)
    evaluation = decide(task, execution, reference)
    if bench.fresh or bench.store.find_evaluation(evaluation.key) is None:
        bench.store.keep_evaluation(evaluation)
    return evaluation


def evaluate_all(task: Task, patch: bytes, seeds: Sequence[int], bench: Bench) -> Verdict:
    """Judge a patch on several variants."""
    return combine(task.id, [evaluate(task, patch, seed, bench) for seed in seeds])


def combine(task_id: str, evaluations: Sequence[Evaluation]) -> Verdict:
    """A fault of ours on any variant leaves the verdict open; else the first outcome that is not success is the verdict."""
    outcomes: list[Outcome] = [evaluation.outcome for evaluation in evaluations]
    if "system_fault" in outcomes:
        return Verdict(task_id, "system_fault", tuple(evaluations))
    return Verdict(task_id, next((outcome for outcome in outcomes if outcome != "success"), "success"), tuple(evaluations))


def decide(task: Task, execution: Execution, reference: Execution | None) -> Evaluation:
    """The outcome from what is on record; pure."""
    metrics = compare(task.spec, execution.metrics, reference.metrics) if reference else ()
    outcome: Outcome
    if execution.ending != "ran":
        outcome, detail = execution.ending, execution.detail
    elif all(metric.accepted for metric in metrics):
        outcome, detail = "success", ""
    else:
        outside = [metric.name for metric in metrics if not metric.accepted]
        outcome, detail = "wrong_result", f"{len(outside)} of {len(metrics)} metrics are not gold's: {', '.join(outside[:6])}"
    gold_files = _gold_files(task.vault.gold)
    shared = len(gold_files & set(execution.files))
    tolerance = task.spec.calibration.model_dump() if task.spec.calibration else None
    reference_key = reference.key if reference else ""
    return Evaluation(
        key=digest_value([execution.key, reference_key, tolerance, task.spec.held_out]),
        execution=execution.key,
        reference=reference_key,
        task=task.id,
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
        written_at=now(),
    )


@cache
def _gold_files(gold: bytes) -> frozenset[str]:
    return frozenset(summarise(gold, Path("/")).files)


def logs_of(evaluation: Evaluation, bench: Bench) -> Path | None:
    """The folder with the run's logs, artefacts and patch."""
    return bench.store.execution_folder(evaluation.execution) if evaluation.execution else None


def _system_fault(task: Task, seed: int, error: Exception) -> Evaluation:
    return Evaluation(
        key="",
        execution="",
        reference="",
        task=task.id,
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
