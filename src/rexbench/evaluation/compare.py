"""Beside live gold: is each metric inside its accepted interval? Pure functions.

Two correct runs of the same experiment on the same data differ only by training noise of standard deviation s. Their difference has
standard deviation s * sqrt(2), and s itself was estimated with v degrees of freedom, so a correct run lies within

    gold +- t(v, 1 - a / (2 k)) * s * sqrt(2)

with probability 1 - a jointly over the k comparisons of a verdict (Bonferroni over noisy metrics and held-out variants).
Deterministic floats must agree to 1e-6 relative, which also is the floor of every interval: summation order may differ.
"""

import math

from rexbench.record.model import MetricVerdict, TableVerdict, Value
from rexbench.task.schema import Calibration, Metric, TaskSpec

RELATIVE = 1e-6
DEFAULT_FALSE_REJECTION = 0.01


def compare(spec: TaskSpec, values: dict[str, Value], gold: dict[str, Value]) -> tuple[MetricVerdict, ...]:
    """One verdict per metric that the judge computes, in the order of task.toml."""
    judged = [metric for metric in spec.metrics if metric.name in spec.judged]
    return tuple(compare_metric(metric, values[metric.name], gold[metric.name], half_width(spec, metric)) for metric in judged)


def agreement_metric(spec: TaskSpec, name: str, table: TableVerdict) -> MetricVerdict:
    """The share of rows that agree with live gold's. Gold under another training seed reaches less than 1: its mean share, less
    the half-width of the interval, is accepted."""
    metric = next(metric for metric in spec.metrics if metric.name == name)
    usual = spec.calibration.agreement.get(name, 1.0) if spec.calibration else 1.0
    share, low = table.agreement, usual - half_width(spec, metric)
    return MetricVerdict(
        name=name, kind="agreement", value=share, gold=1.0, low=low, high=1.0, accepted=share >= low, distance=max(low - share, 0.0)
    )


def half_width(spec: TaskSpec, metric: Metric) -> float:
    """Half the width of a metric's prediction interval; 0 where it is not noisy."""
    if metric.kind != "noisy":
        return 0.0
    if spec.calibration is None:
        return 0.0  # not calibrated yet: nothing but gold itself is accepted
    noisy = sum(other.kind == "noisy" for other in spec.metrics)
    return prediction_half_width(spec.calibration, spec.calibration.sd[metric.name], comparisons=noisy * spec.held_out)


def prediction_half_width(calibration: Calibration, sd: float, comparisons: int) -> float:
    """t(v, 1 - a / (2 k)) * s * sqrt(2)."""
    from rexbench.stats.distributions import student_quantile

    quantile = student_quantile(1 - calibration.false_rejection / (2 * comparisons), calibration.degrees_of_freedom)
    return quantile * sd * math.sqrt(2)


def compare_metric(metric: Metric, value: Value, gold: Value, half: float) -> MetricVerdict:
    """Whether `value` may stand for `gold`."""
    if metric.kind == "exact" or isinstance(value, str) or isinstance(gold, str):
        distance = None if isinstance(value, str) or isinstance(gold, str) else float(abs(value - gold))
        same = type(value) is type(gold) and value == gold
        return MetricVerdict(
            name=metric.name, kind=metric.kind, value=value, gold=gold, low=None, high=None, accepted=same, distance=distance
        )
    half = max(half, RELATIVE * abs(gold))
    low, high = gold - half, gold + half
    distance = max(low - value, value - high, 0.0)
    accepted = low <= value <= high
    return MetricVerdict(
        name=metric.name, kind=metric.kind, value=value, gold=gold, low=low, high=high, accepted=accepted, distance=distance
    )
