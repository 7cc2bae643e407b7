"""Power by simulation, and the model behind it."""

import numpy as np
import pytest

from rexbench.reports.published import published_results
from rexbench.stats.paired import within_tasks_test
from rexbench.stats.power import (
    Design,
    Model,
    detectable_difference,
    power,
    power_on_these_tasks,
    quick_within_tasks_tests,
    simulate,
)
from tests.stats.campaigns import heterogeneity


def test_the_means_are_as_stated() -> None:
    better, weaker = simulate(Design(50, 5), Model(base=0.3), 0.15)
    assert better.mean() == pytest.approx(0.45, abs=0.01) and weaker.mean() == pytest.approx(0.3, abs=0.01)


def test_the_model_is_as_heterogeneous_as_the_published_results() -> None:
    published = published_results()
    concentration, agreement = np.mean([heterogeneity(*published.solved(level)) for level in ("none", "hints", "detailed")], axis=0)
    assert concentration == pytest.approx(Model().concentration, abs=0.05)
    better, weaker = simulate(Design(30_000, 5), Model(), 0.1, simulations=1)
    ours = heterogeneity(np.round(5 * np.vstack([better, weaker])), np.full((2, 30_000), 5))
    assert ours[1] == pytest.approx(agreement, abs=0.025)
    assert ours[0] == pytest.approx(Model().concentration, abs=0.03)


def test_power_grows_with_tasks_and_with_the_difference() -> None:
    small, large = Design(12, 5), Design(48, 5)
    assert power(small, Model(), 0.0, simulations=1000) <= 0.055
    assert power(small, Model(), 0.15, simulations=1000) < power(large, Model(), 0.15, simulations=1000)
    assert power(small, Model(), 0.15, simulations=1000) < power(small, Model(), 0.4, simulations=1000)


def test_twelve_tasks_and_five_runs_detect_some_forty_points() -> None:
    found = detectable_difference(Design(12, 5), Model(), simulations=1000)
    assert found == pytest.approx(0.38, abs=0.03)


def test_91_pairs_of_agents_cannot_be_told_apart_over_twelve_tasks() -> None:
    assert detectable_difference(Design(12, 5), Model(), alpha=0.05 / 91, simulations=500) is None


def test_a_strict_level_is_not_out_of_reach_for_want_of_drawn_patterns() -> None:
    pairs = 20 * 19 // 2
    assert power(Design(60, 5), Model(), 0.5, alpha=0.05 / pairs, simulations=200) > 0.9


def test_on_the_very_same_tasks_the_quick_form_decides_like_the_exact_test() -> None:
    runs = np.full(12, 5)
    better, weaker = (np.round(5 * rates) for rates in simulate(Design(12, 5), Model(), 0.15, simulations=600))
    exact = np.array([within_tasks_test(a, runs, b, runs) <= 0.05 for a, b in zip(better, weaker, strict=True)])
    assert ((quick_within_tasks_tests(better, weaker, 5) <= 0.05) == exact).mean() >= 0.98


def test_agents_that_are_equal_in_general_often_differ_on_a_dozen_tasks() -> None:
    """The reason why a small p within tasks must not be read as a difference in general."""
    found = power_on_these_tasks(Design(12, 5), Model(), 0.0)
    assert 0.2 < found < 0.4 and power(Design(12, 5), Model(), 0.0) <= 0.055
    alike = Model(concentration=0.55, tie=1.0)
    assert power_on_these_tasks(Design(12, 5), alike, 0.0) <= 0.055
