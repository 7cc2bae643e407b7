"""Mean scores, best of k and scores at a budget; what the interval promises is measured on simulated campaigns."""

from itertools import combinations

import numpy as np
import pytest

from rexbench.stats.intervals import rank_intervals
from rexbench.stats.scores import best_of_k, by_task, interval_over_tasks, mean_score, score_at, score_draws, score_means
from tests.stats.worlds import EXTREME, FRESH, PLAUSIBLE, World, thinned

SCORES = np.array([[0.2, 0.4, np.nan], [1.1, 0.9, 1.0], [np.nan] * 3, [-0.3, np.nan, np.nan]])


def held(world: World, tasks: int, runs: int, count: int = 1200, thin: bool = False) -> float:
    draw = np.random.default_rng([tasks, runs])
    truth, scores = world(draw, count, tasks, runs)
    found = [mean_score(each) for each in (thinned(draw, scores) if thin else scores)]
    return float(np.mean([each.low <= mean <= each.high for each, mean in zip(found, truth, strict=True)]))


@pytest.mark.parametrize(("tasks", "runs"), [(6, 3), (12, 1), (12, 5), (24, 3)])
@pytest.mark.parametrize("name", [*PLAUSIBLE, *FRESH])
def test_a_95_percent_interval_holds_the_true_mean_in_93_to_98_of_100_campaigns(name: str, tasks: int, runs: int) -> None:
    noise = 0.013  # two standard errors of a share near .95 over 1,200 campaigns
    assert 0.93 - noise <= held((PLAUSIBLE | FRESH)[name], tasks, runs) <= 0.98 + noise


@pytest.mark.parametrize("name", ["skewed", "failing"])
def test_missing_runs_and_tasks_do_not_break_the_promise(name: str) -> None:
    assert 0.92 <= held(PLAUSIBLE[name], 12, 5, thin=True) <= 0.98


@pytest.mark.parametrize("name", EXTREME)
def test_six_tasks_that_agree_are_not_taken_for_all_tasks(name: str) -> None:
    assert held(EXTREME[name], 6, 3) >= 0.95


def test_students_interval_would_break_the_promise_where_scores_are_skewed() -> None:
    truth, scores = PLAUSIBLE["skewed"](np.random.default_rng(1), 4000, 6, 1)
    means = score_means(scores)
    half = 2.5706 * means.std(axis=1, ddof=1) / np.sqrt(6)
    assert (np.abs(means.mean(axis=1) - truth) <= half).mean() < 0.9


def test_every_task_weighs_the_same_and_a_task_without_runs_is_left_out() -> None:
    found = mean_score(SCORES)
    assert found.value == pytest.approx((0.3 + 1.0 - 0.3) / 3) and (found.tasks, found.runs) == (3, 6)
    assert mean_score(SCORES[[0, 1, 3]]) == found


def test_an_interval_leans_to_the_side_of_the_long_tail() -> None:
    mean, low, high = interval_over_tasks([0.0, 0.1, 0.1, 0.2, 0.2, 0.1, 0.0, 1.5])
    assert high - mean > 1.2 * (mean - low)
    turned = interval_over_tasks([-0.0, -0.1, -0.1, -0.2, -0.2, -0.1, -0.0, -1.5])
    assert turned == pytest.approx((-mean, -high, -low))


def test_scores_may_be_below_the_baseline_and_above_gold() -> None:
    found = mean_score(np.array([[3.0], [-2.0], [5.0], [-1.0]]))
    assert found.low < 0 and found.high > 1


@pytest.mark.parametrize("same", [0.0, 0.4, 1.0])
def test_tasks_that_all_agree_leave_open_what_so_few_tasks_leave_open(same: float) -> None:
    missed = 1 - 0.05 ** (1 / 12)
    assert interval_over_tasks(np.full(12, same)) == pytest.approx((same, same * (1 - missed), same + missed * (1 - same)))
    nearly = interval_over_tasks(same + np.linspace(-1e-6, 1e-6, 12))
    assert nearly == pytest.approx(interval_over_tasks(np.full(12, same)), abs=1e-4), "no jump where agreement ends"


def test_more_of_the_same_tasks_make_it_narrower() -> None:
    widths = [np.diff(interval_over_tasks(np.tile([0.1, 0.4, 0.9], times))[1:])[0] for times in (1, 2, 4, 16)]
    assert widths == sorted(widths, reverse=True)


def test_one_task_is_judged_by_its_runs_and_one_run_by_nothing() -> None:
    single = mean_score(np.array([[np.nan] * 4, [0.2, 0.5, 0.6, np.nan]]))
    assert (single.value, single.low, single.high) == pytest.approx(interval_over_tasks([0.2, 0.5, 0.6])) and single.tasks == 1
    alone = mean_score([[0.7]])
    assert alone.value == 0.7 and np.isnan([alone.low, alone.high]).all()
    nothing = mean_score([[np.nan]])
    assert np.isnan(nothing.value) and (nothing.tasks, nothing.runs) == (0, 0)


def test_runs_are_sorted_into_tasks_in_their_order() -> None:
    table = by_task(np.array([2, 0, 2, 0, 2]), [1.0, 2.0, 3.0, 4.0, 5.0], 4)
    assert np.array_equal(table, [[2, 4, np.nan], [np.nan] * 3, [1, 3, 5], [np.nan] * 3], equal_nan=True)
    assert by_task(np.array([], dtype=np.int64), [], 2).shape == (2, 0)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_the_best_of_k_is_the_mean_over_all_subsets(k: int) -> None:
    runs = [0.3, -0.2, 1.4, 0.3, 0.9]
    assert best_of_k([runs], k)[0] == pytest.approx(np.mean([max(chosen) for chosen in combinations(runs, k)]))


def test_the_best_of_k_has_no_bias_and_needs_k_runs() -> None:
    scores = np.random.default_rng(4).exponential(size=(40_000, 5))
    assert best_of_k(scores, 3).mean() == pytest.approx(1 + 1 / 2 + 1 / 3, abs=0.02)
    assert np.isnan(best_of_k(SCORES, 2)).tolist() == [False, False, True, True]
    assert best_of_k(SCORES, 1)[:2] == pytest.approx([0.3, 1.0])


def test_the_score_at_a_budget_is_that_of_the_last_capture_until_then() -> None:
    minutes, scores = [20, 5, 10, 40, 41], [0.5, 0.3, 0.1, np.nan, 0.9]
    assert score_at(minutes, scores, [0, 4.9, 5, 9, 10, 19, 20, 40, 41, 1000]).tolist() == [
        *(0, 0, 0.3, 0.3, 0.1, 0.1),
        *(0.5, 0.5, 0.9, 0.9),
    ]
    assert score_at([], [], 10.0) == 0 and score_at([np.nan], [0.4], [5.0]).tolist() == [0]


def test_a_negative_score_at_a_budget_stays_negative() -> None:
    assert score_at([5], [-0.4], [1, 6]).tolist() == [0, -0.4]


def test_ranks_come_from_the_same_drawn_tasks_for_all() -> None:
    means = np.array([[0.9, 0.8, 0.7, np.nan], [0.5, 0.4, 0.3, 0.2], [0.9, 0.8, 0.7, np.nan]])
    draws = score_draws(means, 500)
    assert draws.shape == (500, 3) and np.array_equal(draws[:, 0], draws[:, 2], equal_nan=True)
    low, high, first = rank_intervals(draws)
    assert (low[1], high[1]) == (3, 3) and first[0] == pytest.approx(0.5, abs=0.01)
