"""Paired tests against scipy, statsmodels and simulation."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import fisher_exact, hypergeom, permutation_test
from statsmodels.stats.contingency_tables import StratifiedTable, mcnemar
from statsmodels.stats.multitest import multipletests

from rexbench.stats.effect import effect, mean_interval
from rexbench.stats.paired import holm, mcnemar_test, sign_flip_test, sign_flip_tests, smallest_p, within_tasks_test
from rexbench.stats.power import Design, Model, simulate

GAPS = np.array([0.2, 0.4, -0.2, 0.6, 0.0, 0.2, 0.8, -0.4, 0.0, 0.2])


def test_the_exact_sign_flip_test_agrees_with_scipy() -> None:
    theirs = permutation_test((GAPS,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative="two-sided")
    assert sign_flip_test(GAPS) == pytest.approx(theirs.pvalue)


def test_it_counts_all_patterns_with_ties() -> None:
    patterns = [abs(np.dot(signs, GAPS)) >= abs(GAPS.sum()) - 1e-9 for signs in product([-1, 1], repeat=len(GAPS))]
    assert sign_flip_test(GAPS) == pytest.approx(np.mean(patterns))


def test_many_tasks_are_tested_by_drawn_patterns() -> None:
    many = np.tile(GAPS, 3)
    theirs = permutation_test((many,), np.mean, permutation_type="samples", n_resamples=9999, rng=np.random.default_rng(1))
    assert sign_flip_test(many) == pytest.approx(theirs.pvalue, abs=0.01)


def test_no_difference_is_no_evidence() -> None:
    assert sign_flip_test(np.zeros(12)) == 1.0 and sign_flip_test(np.array([np.nan, 0.0])) == 1.0


def test_few_tasks_cannot_give_a_small_p() -> None:
    assert sign_flip_test(np.full(5, 0.2)) == smallest_p(5) == pytest.approx(2 / 32)
    assert smallest_p(0) == 1.0


def test_the_smallest_p_is_what_the_test_really_reaches() -> None:
    for tasks in (1, 6, 16, 17, 40):
        assert sign_flip_test(np.full(tasks, 0.2)) == pytest.approx(smallest_p(tasks))


@pytest.mark.parametrize(("tasks", "runs"), [(12, 5), (50, 3), (12, 1)])
def test_equal_agents_are_told_apart_in_at_most_5_5_of_100_campaigns(tasks: int, runs: int) -> None:
    better, weaker = simulate(Design(tasks, runs), Model(base=0.3, concentration=2.0), 0.0, simulations=4000, seed=8)
    assert (sign_flip_tests(better - weaker, 1999 if tasks > 16 else None) <= 0.05).mean() <= 0.055


def test_within_one_task_the_test_is_fishers() -> None:
    assert within_tasks_test([4], [5], [1], [5]) == pytest.approx(fisher_exact([[4, 1], [1, 4]]).pvalue)
    assert within_tasks_test([3], [4], [1], [6]) == pytest.approx(fisher_exact([[3, 1], [1, 5]]).pvalue)


def test_over_many_tasks_it_is_close_to_mantel_haenszel() -> None:
    generator = np.random.default_rng(3)
    first, second = generator.binomial(20, 0.45, 12), generator.binomial(20, 0.35, 12)
    tables = [np.array([[a, 20 - a], [b, 20 - b]]) for a, b in zip(first, second, strict=True)]
    theirs = StratifiedTable(tables).test_null_odds(correction=True).pvalue
    assert within_tasks_test(first, np.full(12, 20), second, np.full(12, 20)) == pytest.approx(theirs, abs=0.01)


def test_within_tasks_equal_agents_are_told_apart_in_at_most_5_5_of_100_campaigns() -> None:
    generator = np.random.default_rng(9)
    chances = generator.beta(0.3, 0.7, size=(1500, 12))
    first, second = generator.binomial(5, chances), generator.binomial(5, chances)
    runs = np.full(12, 5)
    found = [within_tasks_test(a, runs, b, runs) <= 0.05 for a, b in zip(first, second, strict=True)]
    assert np.mean(found) <= 0.055


def test_mcnemar_agrees_with_statsmodels_and_with_the_sign_flip_test() -> None:
    generator = np.random.default_rng(2)
    first, second = generator.random(14) < 0.6, generator.random(14) < 0.3
    table = [[(first & second).sum(), (first & ~second).sum()], [(~first & second).sum(), (~first & ~second).sum()]]
    assert mcnemar_test(first, second) == pytest.approx(mcnemar(table, exact=True).pvalue)
    assert mcnemar_test(first, second) == pytest.approx(sign_flip_test(first.astype(float) - second.astype(float)))
    assert mcnemar_test(first, first) == 1.0


def test_holm_agrees_with_statsmodels() -> None:
    given = np.array([0.01, 0.04, 0.03, 0.005, 0.8, 0.03])
    assert holm(given) == pytest.approx(multipletests(given, method="holm")[1])


def test_an_effect_averages_hint_levels_within_a_task() -> None:
    wins_a, wins_b = np.array([[5, 0], [3, 1]]), np.array([[1, 0], [1, 1]])
    runs = np.full((2, 2), 5)
    found = effect(wins_a, runs, wins_b, runs)
    assert found.difference == pytest.approx((0.6 + 0.0) / 2) and (found.tasks, found.better, found.worse) == (2, 1, 0)


def test_only_tasks_that_both_have_are_compared() -> None:
    found = effect([5, 5, 0], [5, 5, 5], [0, 0, 0], [5, 0, 5])
    assert found.tasks == 2 and found.difference == pytest.approx(0.5)


def test_the_interval_of_a_difference_holds_it_in_93_to_97_of_100_campaigns() -> None:
    held = {}
    for tasks, runs in ((12, 5), (50, 3)):
        better, weaker = simulate(Design(tasks, runs), Model(), 0.2, simulations=4000, seed=12)
        limits = np.array([mean_interval(row) for row in better - weaker])
        held[tasks] = ((limits[:, 1] <= 0.2) & (limits[:, 2] >= 0.2)).mean()
    assert all(0.93 <= share <= 0.97 for share in held.values()), held


@pytest.mark.parametrize("same", [0.0, 1.0, -0.4])
@pytest.mark.parametrize("tasks", [1, 2, 12])
def test_tasks_that_all_agree_do_not_make_an_interval_of_no_width(same: float, tasks: int) -> None:
    mean, low, high = mean_interval(np.full(tasks, same))
    assert mean == pytest.approx(same) and -1 <= low <= same <= high <= 1 and high - low > 0.2


def test_agents_without_any_difference_may_still_differ_by_what_the_tasks_leave_open() -> None:
    assert mean_interval(np.zeros(12))[2] == pytest.approx(1 - 0.05 ** (1 / 12))


def test_within_tasks_with_unequal_runs_it_counts_every_way_to_deal_out_the_successes() -> None:
    """With five runs beside three the differences have no end after the point; summed and rounded, p once came out as 0."""
    for tasks in (1, 4, 20):
        extreme = within_tasks_test([5] * tasks, [5] * tasks, [2] * tasks, [3] * tasks)
        assert extreme == pytest.approx(0.375**tasks, rel=1e-9), "the one failure is not among the first agent's: 3 of 8"


def test_within_tasks_unequal_runs_agree_with_dealing_out_at_random() -> None:
    wins_a, runs_a, wins_b, runs_b = np.array([4, 2, 3, 5]), np.array([5, 3, 4, 6]), np.array([1, 2, 0, 2]), np.array([3, 5, 4, 7])
    dealt = hypergeom(runs_a + runs_b, wins_a + wins_b, runs_a).rvs(size=(200_000, 4), random_state=1).sum(axis=1)
    centre = ((wins_a + wins_b) * runs_a / (runs_a + runs_b)).sum()
    simulated = (np.abs(dealt - centre) >= abs(wins_a.sum() - centre) - 1e-9).mean()
    assert within_tasks_test(wins_a, runs_a, wins_b, runs_b) == pytest.approx(simulated, abs=0.003)
