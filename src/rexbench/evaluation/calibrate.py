"""Tolerances are measured, not typed: gold over training seeds and variants, its spread and time written into task.toml."""

import math
import re
from collections.abc import Sequence

from rexbench.errors import BrokenTask, RexbenchError
from rexbench.evaluation.compare import DEFAULT_FALSE_REJECTION
from rexbench.evaluation.execute import TIME_FACTOR
from rexbench.evaluation.score import on_scale
from rexbench.evaluation.tables import compare_table
from rexbench.places import write_whole
from rexbench.record.model import Execution
from rexbench.record.store import Store
from rexbench.task.folder import Task
from rexbench.task.schema import Calibration, RowTable, TaskSpec

_HEADING = "# Written by `rexbench task calibrate`; not to be edited by hand."
LEAST_SECONDS = 30
FEWEST_WORLDS = 3


def plan_seeds(spec: TaskSpec, variants: int, seeds: int) -> tuple[list[int], list[int | None]]:
    """Variant seeds and training seeds to run gold with; one training run per variant where nothing is noisy."""
    noisy = any(metric.kind == "noisy" for metric in spec.metrics)
    if noisy and not spec.experiment.seed_variable:
        raise BrokenTask(f"{spec.id}: a metric is noisy but experiment.seed_variable is not set, so its spread cannot be measured.")
    if noisy and seeds < 3:
        raise RexbenchError("At least 3 seeds are needed to measure a spread.")
    training: list[int | None] = list(range(1, seeds + 1)) if noisy else [None]
    return [10_000 + at for at in range(variants)], training


def calibration_of(spec: TaskSpec, runs: Sequence[Execution]) -> Calibration:
    """Pooled within-variant standard deviation of each noisy metric, and gold's time and memory at their worst."""
    failed = [run for run in runs if run.ending != "ran"]
    if failed:
        raise BrokenTask(f"{spec.id}: gold fails on variant {failed[0].inputs.variant_seed}: {failed[0].detail}.")
    variants = sorted({run.inputs.variant_seed for run in runs})
    groups = [[run for run in runs if run.inputs.variant_seed == variant] for variant in variants]
    seeds = len(groups[0])
    noisy = [metric.name for metric in spec.metrics if metric.kind == "noisy"]
    freedom = sum(len(group) - 1 for group in groups) if noisy else 0

    def variance(name: str) -> float:
        squares = 0.0
        for group in groups:
            values = [float(run.metrics[name]) for run in group]
            mean = sum(values) / len(values)
            squares += sum((value - mean) ** 2 for value in values)
        return squares / freedom

    def pooled(name: str) -> float:
        spread = next(metric.spread for metric in spec.metrics if metric.name == name)
        alike = [metric.name for metric in spec.metrics if metric.spread == spread and metric.kind == "noisy"] if spread else [name]
        return math.sqrt(max(variance(name), sum(variance(other) for other in alike) / len(alike)))

    return Calibration(
        variants=len(variants),
        seeds=seeds,
        degrees_of_freedom=freedom,
        false_rejection=DEFAULT_FALSE_REJECTION,
        gold_seconds=round(max(run.cpu_seconds for run in runs), 1) or 0.1,
        gold_memory_mb=max(run.peak_memory_mb for run in runs),
        sd={name: float(f"{pooled(name):.4g}") for name in noisy},
        agreement={
            name: float(f"{sum(float(run.metrics[name]) for run in runs) / len(runs):.4g}")
            for name in noisy
            if name not in spec.judged
        },
    )


def with_agreement(spec: TaskSpec, runs: Sequence[Execution], golds: Sequence[Execution], store: Store) -> list[Execution]:
    """Gold's runs under other training seeds with their share of rows as gold's own run on the variant has them, as metrics."""
    own = {run.inputs.variant_seed: store.execution_folder(run.key) / "artefacts" for run in golds}
    tables = [table for table in spec.tables if table.agreement]

    def share(table: RowTable, run: Execution) -> float:
        return compare_table(table, store.execution_folder(run.key) / "artefacts", own[run.inputs.variant_seed]).agreement

    return [
        run.model_copy(update={"metrics": run.metrics | {table.agreement: share(table, run) for table in tables}})
        if run.ending == "ran"
        else run
        for run in runs
    ]


def score_calibration(spec: TaskSpec, golds: Sequence[Execution], bases: Sequence[Execution]) -> Calibration:
    """Of a scored task: the spread of gold's figure over secret seeds, and the gap between base and gold that it is measured by."""
    figure = spec.figure
    assert figure is not None
    if len(golds) < FEWEST_WORLDS:
        raise RexbenchError(f"At least {FEWEST_WORLDS} variants are needed to measure the spread of a score.")
    for run in (*golds, *bases):
        if run.ending != "ran":
            raise BrokenTask(f"{spec.id}: a run fails on variant {run.inputs.variant_seed}: {run.detail}.")
    high = [on_scale(figure, float(run.metrics[figure.name])) for run in golds]
    low = [on_scale(figure, float(run.metrics[figure.name])) for run in bases]
    gap = sum(high) / len(high) - sum(low) / len(low)
    if gap <= 0:
        raise BrokenTask(f"{spec.id}: gold is not better than the unchanged repository.")
    mean = sum(high) / len(high)
    sd = math.sqrt(sum((value - mean) ** 2 for value in high) / (len(high) - 1))
    return Calibration(
        variants=len(golds),
        seeds=1,
        degrees_of_freedom=len(golds) - 1,
        false_rejection=DEFAULT_FALSE_REJECTION,
        gold_seconds=round(max(max(run.cpu_seconds, 0.1) for run in (*golds, *bases)), 1),
        gold_memory_mb=max(run.peak_memory_mb for run in golds),
        score_sd=float(f"{sd / gap:.4g}"),
        gap=float(f"{gap / sd:.4g}") if sd else 1e6,
    )


def write_calibration(task: Task, calibration: Calibration) -> None:
    """Put the calibration at the end of task.toml and the time limit into its place; nothing else of the file changes.

    The time that a scored task allows is part of what it asks for, and stays as its author set it.
    """
    path = task.folder / "task.toml"
    text = path.read_text(encoding="utf-8").split(_HEADING)[0].rstrip() + "\n"
    if task.spec.kind == "replication":
        limit = max(LEAST_SECONDS, math.ceil(TIME_FACTOR * calibration.gold_seconds))
        text, changed = re.subn(r"(?m)^(seconds\s*=\s*)[\d.]+", rf"\g<1>{limit}", text, count=1)
        if not changed:
            raise BrokenTask(f"{path}: no line `seconds = ...` to write the limit into.")
    facts = calibration.model_dump(exclude={"sd", "agreement"}, exclude_none=True)
    lines = ["", _HEADING, "[calibration]", *(f"{name} = {value}" for name, value in facts.items())]
    for table in ("sd", "agreement"):
        if values := getattr(calibration, table):
            lines += ["", f"[calibration.{table}]", *(f"{name} = {value}" for name, value in values.items())]
    write_whole(path, text + "\n".join(lines) + "\n")
