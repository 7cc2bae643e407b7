"""The accepted interval: its width, its coverage, and what deterministic metrics take."""

import math

import numpy as np
import pytest
from scipy import stats

from rexbench.evaluation.compare import compare, compare_metric, half_width, prediction_half_width
from rexbench.task.schema import Calibration, Metric, MetricKind
from tests.evaluation.made import replication


def metric(kind: MetricKind) -> Metric:
    return Metric(name="x", kind=kind, about="x")


def calibration(freedom: int, rate: float = 0.01) -> Calibration:
    return Calibration(
        variants=1, seeds=2, degrees_of_freedom=freedom, false_rejection=rate, gold_seconds=1, gold_memory_mb=1, sd={"x": 1.0}
    )


@pytest.mark.parametrize(
    ("value", "gold", "accepted"),
    [(3, 3, True), (3, 4, False), ("a", "a", True), ("a", "b", False), (1, "1", False), (3, 3.0, False)],
)
def test_exact_metrics_are_equal_in_value_and_type(value: int | str, gold: int | str, accepted: bool) -> None:
    assert compare_metric(metric("exact"), value, gold, 0.0).accepted is accepted


@pytest.mark.parametrize(("value", "accepted"), [(1.0, True), (1.0 + 9e-7, True), (1.0 + 2e-6, False), (0.0, False), (-1.0, False)])
def test_floats_agree_to_one_in_a_million(value: float, accepted: bool) -> None:
    assert compare_metric(metric("float"), value, 1.0, 0.0).accepted is accepted


def test_a_float_beside_a_gold_of_zero_must_be_zero() -> None:
    assert compare_metric(metric("float"), 0.0, 0.0, 0.0).accepted
    assert not compare_metric(metric("float"), 1e-12, 0.0, 0.0).accepted


def test_the_distance_is_zero_inside_and_measured_from_the_edge_outside() -> None:
    assert compare_metric(metric("noisy"), 1.5, 1.0, 1.0).distance == 0.0
    assert compare_metric(metric("noisy"), 2.5, 1.0, 1.0).distance == pytest.approx(0.5)
    assert compare_metric(metric("noisy"), -1.0, 1.0, 1.0).distance == pytest.approx(1.0)


def test_the_half_width_is_the_students_t_prediction_interval_of_a_difference() -> None:
    expected = stats.t.ppf(1 - 0.01 / (2 * 9), 12) * 0.25 * math.sqrt(2)
    assert prediction_half_width(calibration(12), 0.25, comparisons=9) == pytest.approx(expected)


def test_a_correct_run_is_refused_no_more_often_than_stated() -> None:
    """Simulated: calibrate on 4 variants x 5 seeds, then compare fresh correct runs with fresh gold on 6 independent metrics."""
    rng = np.random.default_rng(0)
    variants, seeds, metrics, trials = 4, 5, 6, 4000
    refused = 0
    for _ in range(trials):
        runs = rng.normal(size=(variants, seeds, metrics))
        sd = np.sqrt(((runs - runs.mean(1, keepdims=True)) ** 2).sum((0, 1)) / (variants * (seeds - 1)))
        halves = [prediction_half_width(calibration(variants * (seeds - 1), 0.05), float(one), metrics) for one in sd]
        difference = np.abs(rng.normal(size=metrics) - rng.normal(size=metrics))
        refused += bool((difference > halves).any())
    assert 0.03 < refused / trials < 0.06


def test_the_rule_of_two_standard_deviations_over_five_runs_refuses_far_more() -> None:
    """Why the interval is not that rule: it refuses about one correct run in seven."""
    rng = np.random.default_rng(1)
    runs = rng.normal(size=(20_000, 5))
    fresh = rng.normal(size=20_000)
    refused = np.abs(fresh - runs.mean(1)) > 2 * runs.std(1, ddof=1)
    assert 0.11 < refused.mean() < 0.17


@pytest.mark.parametrize(("noisy", "held_out"), [(1, 1), (3, 1), (1, 4), (3, 2)])
def test_every_comparison_of_a_verdict_widens_the_interval_of_each(noisy: int, held_out: int) -> None:
    """Jointly over noisy metrics and held-out variants; exact and float metrics take no part in it."""
    spec = replication(noisy, sd=0.25, freedom=12, rate=0.02, held_out=held_out)
    expected = stats.t.ppf(1 - 0.02 / (2 * noisy * held_out), 12) * 0.25 * math.sqrt(2)
    widths = {metric.name: half_width(spec, metric) for metric in spec.metrics}
    assert [widths[f"m{at}"] for at in range(noisy)] == pytest.approx([expected] * noisy)
    assert widths["groups"] == widths["mean_of_medians"] == 0.0


def test_before_calibration_nothing_but_golds_own_value_is_accepted() -> None:
    spec = replication(1).model_copy(update={"calibration": None})
    noisy = spec.metrics[-1]
    assert half_width(spec, noisy) == 0.0
    assert compare_metric(noisy, 1.0, 1.0, half_width(spec, noisy)).accepted
    assert not compare_metric(noisy, 1.001, 1.0, half_width(spec, noisy)).accepted


def test_a_verdict_has_every_metric_with_its_own_interval() -> None:
    spec = replication(2, sd=0.5)
    gold = {"groups": 4, "mean_of_medians": 10.0, "m0": 1.0, "m1": 1.0}
    half = half_width(spec, spec.metrics[-1])
    made = {metric.name: metric for metric in compare(spec, gold | {"m0": 1.0 + 0.99 * half, "m1": 1.0 + 1.01 * half}, gold)}
    assert {name: metric.accepted for name, metric in made.items()} == {
        "groups": True,
        "mean_of_medians": True,
        "m0": True,
        "m1": False,
    }
    assert made["m1"].distance == pytest.approx(0.01 * half) and made["m0"].high == pytest.approx(1.0 + half)
