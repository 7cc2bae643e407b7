"""Intervals hold what they promise; measured on simulated campaigns."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from rexbench.stats.intervals import (
    corrected_variance,
    estimate_from_variance,
    estimate_mean,
    estimate_rate,
    hierarchical_draws,
    rank_intervals,
    wilson,
)
from tests.stats.campaigns import campaigns


@pytest.mark.parametrize(("wins", "runs"), [(0, 5), (1, 5), (7, 60), (60, 60)])
def test_wilson_agrees_with_statsmodels(wins: int, runs: int) -> None:
    assert wilson(wins / runs, runs) == pytest.approx(proportion_confint(wins, runs, method="wilson"), abs=1e-12)


@pytest.mark.parametrize(("tasks", "runs"), [(12, 5), (50, 3)])
@pytest.mark.parametrize("concentration", [0.6, 2.0])
def test_a_95_percent_interval_holds_the_true_rate_in_93_to_97_of_100_campaigns(
    tasks: int, runs: int, concentration: float
) -> None:
    rates, wins = campaigns(2500, tasks, runs, (0.1, 0.6), concentration, seed=4)
    held = 0
    for rate, row in zip(rates, wins, strict=True):
        estimate = estimate_rate(row, np.full(tasks, runs), hierarchical_draws(row, np.full(tasks, runs), 200)[:, 0])
        held += estimate.low <= rate <= estimate.high
    assert 0.93 <= held / len(rates) <= 0.97


def test_seldom_successful_agents_are_not_promised_too_much() -> None:
    """Here the plain percentile bootstrap holds the true rate in three campaigns of four."""
    rates, wins = campaigns(2500, 12, 5, (0.03, 0.12), 0.6, seed=6)
    runs = np.full(12, 5)
    plain = held = 0
    for rate, row in zip(rates, wins, strict=True):
        draws = hierarchical_draws(row, runs, 200)[:, 0]
        low, high = np.quantile(draws, [0.025, 0.975])
        plain += low <= rate <= high
        estimate = estimate_rate(row, runs, draws)
        held += estimate.low <= rate <= estimate.high
    assert plain / len(rates) < 0.85 and held / len(rates) >= 0.93


def test_the_draws_have_the_variance_that_theory_gives() -> None:
    wins, runs = np.array([5, 0, 3, 1, 0, 4]), np.array([5, 5, 5, 4, 3, 5])
    draws = hierarchical_draws(wins, runs, 40_000)[:, 0]
    means = wins / runs
    assert draws.mean() == pytest.approx(means.mean(), abs=0.005)
    assert corrected_variance(draws, wins, runs) == pytest.approx(means.var(ddof=1) / len(means), rel=0.05)


def test_agents_meet_the_same_tasks_in_every_draw() -> None:
    same = np.array([[5, 5, 0, 0], [5, 5, 0, 0]])
    draws = hierarchical_draws(same, np.full((2, 4), 5), 500)
    assert np.array_equal(draws[:, 0], draws[:, 1])


def test_runs_that_all_end_alike_leave_open_what_so_few_tasks_leave_open() -> None:
    never = estimate_rate(np.zeros(12), np.full(12, 5))
    assert never.low == 0 and 0.2 < never.high < 0.35 and never.effective_runs == 12


def test_one_task_is_judged_by_its_runs_alone() -> None:
    single = estimate_rate(np.array([3]), np.array([5]))
    assert (single.low, single.high) == pytest.approx(wilson(0.6, 5))


def test_tasks_without_runs_are_left_out() -> None:
    with_gap = estimate_rate(np.array([5, 0, 2, 0]), np.array([5, 5, 5, 0]))
    assert with_gap.value == pytest.approx(7 / 15)
    assert np.isnan(estimate_rate(np.zeros(3), np.zeros(3)).value)


def test_tasks_that_only_others_ran_do_not_widen_an_interval() -> None:
    wins, runs = np.array([[5, 0, 2, 1] * 3, [5, 0, 2, 1] + [0] * 8]), np.array([[5] * 12, [5] * 4 + [0] * 8])
    together = hierarchical_draws(wins, runs)
    assert estimate_rate(wins[1], runs[1], together[:, 1]) == estimate_rate(wins[1, :4], runs[1, :4])


@pytest.mark.parametrize("seed", range(6))
def test_tasks_with_the_same_mean_are_worth_all_their_runs_whatever_the_draws(seed: int) -> None:
    wins, runs = np.full(4, 3), np.full(4, 5)
    assert estimate_rate(wins, runs, hierarchical_draws(wins, runs, seed=seed)[:, 0]).effective_runs == pytest.approx(20)


def test_sixty_runs_on_twelve_very_different_tasks_are_worth_about_twelve() -> None:
    split = estimate_rate(np.array([5] * 6 + [0] * 6), np.full(12, 5))
    assert split.effective_runs == pytest.approx(12, abs=1.5)
    alike = estimate_rate(np.full(12, 2), np.full(12, 5))
    assert alike.effective_runs == pytest.approx(60) and alike.high - alike.low < split.high - split.low


def test_a_share_such_as_recall_has_an_interval_too() -> None:
    recall = estimate_mean(np.array([0.5, 1.0, 0.25, np.nan]), 15)
    assert recall.low < recall.value == pytest.approx(0.5833, abs=1e-4) and recall.high < 1
    assert estimate_from_variance(1.0, 0.0, 12, 60).low < 0.9


def test_ranks_come_with_their_uncertainty() -> None:
    wins = np.array([[5] * 12, [0] * 12, [5, 0] * 6, [4, 1] * 6])
    low, high, first = rank_intervals(hierarchical_draws(wins, np.full((4, 12), 5), 1000))
    assert low[0] == high[0] == 1 and first[0] == pytest.approx(1)
    assert high[1] == 4 and low[2] == 2 and high[2] == 3
