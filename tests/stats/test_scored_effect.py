"""Two agents compared on scores: both tests beside enumeration and scipy, and how often they are wrong."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import permutation_test

from rexbench.stats.effect import mean_interval, scored_effect
from rexbench.stats.paired import sign_flip_test, sign_flip_tests, within_tasks_score_test
from rexbench.stats.scores import score_means
from tests.stats.worlds import PLAUSIBLE, equals, rivals

NOISE = 0.011
"""Two standard errors of a share of .05 over 1,500 campaigns."""


def dealt_out(first: list[list[float]], second: list[list[float]]) -> float:
    """The test within tasks over every way to deal out the runs."""
    ways = []
    for row_a, row_b in zip(first, second, strict=True):
        pool, count = row_a + row_b, len(row_a)
        chosen = combinations(range(len(pool)), count)
        ways.append([np.mean([pool[at] for at in part]) - np.mean(np.delete(pool, part)) for part in chosen])
    observed = sum(np.mean(row_a) - np.mean(row_b) for row_a, row_b in zip(first, second, strict=True))
    return float(np.mean([abs(sum(way)) >= abs(observed) - 1e-9 for way in product(*ways)]))


def padded(rows: list[list[float]]) -> np.ndarray:
    return np.array([row + [np.nan] * (5 - len(row)) for row in rows])


def test_within_tasks_it_deals_out_runs_in_every_way_also_unequal_numbers() -> None:
    first, second = [[0.9, 0.4, 0.7], [1.2, 0.8], [0.1, 0.3]], [[0.3, 0.5], [0.9, 0.2, 0.4], [0.2]]
    assert within_tasks_score_test(padded(first), padded(second), 40_000) == pytest.approx(dealt_out(first, second), abs=0.01)


def test_within_one_task_it_is_scipys_permutation_test() -> None:
    first, second = np.array([0.9, 0.4, 0.7, 1.3, 0.6]), np.array([0.3, 0.5, 0.2, 0.6, 0.7])
    theirs = permutation_test((first, second), lambda a, b: np.mean(a) - np.mean(b), n_resamples=np.inf).pvalue
    assert within_tasks_score_test(first, second, 40_000) == pytest.approx(theirs, abs=0.01)


def test_with_one_run_each_it_is_the_sign_flip_test() -> None:
    draw = np.random.default_rng(3)
    first, second = draw.normal(0.6, 0.3, (10, 1)), draw.normal(0.4, 0.3, (10, 1))
    assert within_tasks_score_test(first, second, 40_000) == pytest.approx(sign_flip_test(first - second), abs=0.01)


def test_a_task_that_one_agent_did_not_run_tells_nothing() -> None:
    first, second = np.array([[0.9, 0.8], [0.5, 0.6]]), np.array([[0.1, 0.2], [np.nan, np.nan]])
    assert within_tasks_score_test(first, second) == within_tasks_score_test(first[:1], second[:1])
    assert scored_effect(first, second).tasks == 1 and scored_effect(first, second).difference == pytest.approx(0.7)


def test_swapping_the_agents_turns_the_sign_and_nothing_else() -> None:
    draw = np.random.default_rng(7)
    first, second = draw.normal(0.7, 0.3, (12, 5)), draw.normal(0.4, 0.3, (12, 3))
    found, turned = scored_effect(first, second), scored_effect(second, first)
    assert (found.difference, found.low, found.high) == pytest.approx((-turned.difference, -turned.high, -turned.low))
    assert found.p_tasks == turned.p_tasks and found.p_runs == pytest.approx(turned.p_runs, abs=0.01)
    assert (found.better, found.worse) == (turned.worse, turned.better)


def test_hint_levels_are_averaged_within_a_task() -> None:
    first, second = np.array([[[1.0], [0.4]], [[0.6], [np.nan]]]), np.array([[[0.2], [0.4]], [[0.4], [0.1]]])
    found = scored_effect(first, second)
    assert found.difference == pytest.approx(((0.8 + 0.2) / 2 + 0.0) / 2) and (found.tasks, found.better, found.worse) == (2, 1, 0)


def test_a_difference_of_scores_may_exceed_1() -> None:
    found = scored_effect([[3.0], [2.0], [2.5]], [[-1.0], [0.0], [0.5]])
    assert found.high > found.difference > 2


def test_agents_without_any_difference_may_still_differ_by_what_the_tasks_leave_open() -> None:
    found = scored_effect(np.zeros((12, 5)), np.zeros((12, 5)))
    assert found.high == pytest.approx(1 - 0.05 ** (1 / 12)) == -found.low and found.p_tasks == found.p_runs == 1


@pytest.mark.parametrize(("tasks", "runs"), [(6, 3), (12, 5)])
@pytest.mark.parametrize("name", PLAUSIBLE)
def test_equal_agents_are_told_apart_over_tasks_in_at_most_5_of_100_campaigns(name: str, tasks: int, runs: int) -> None:
    first, second = equals(PLAUSIBLE[name], np.random.default_rng(8), 1500, tasks, runs)
    assert (sign_flip_tests(score_means(first) - score_means(second)) <= 0.05).mean() <= 0.05 + NOISE


@pytest.mark.parametrize(("tasks", "runs"), [(6, 3), (12, 5)])
@pytest.mark.parametrize("name", PLAUSIBLE)
def test_the_interval_of_a_difference_holds_it_in_93_to_98_of_100_campaigns(name: str, tasks: int, runs: int) -> None:
    first, second = rivals(PLAUSIBLE[name], np.random.default_rng(8), 1500, tasks, runs)
    limits = np.array([mean_interval(row, bound=np.inf) for row in score_means(first) - score_means(second)])
    assert 0.93 - NOISE <= ((limits[:, 1] <= 0) & (limits[:, 2] >= 0)).mean() <= 0.98


@pytest.mark.parametrize("name", ["normal", "lucky", "failing"])
def test_within_tasks_equal_agents_are_told_apart_in_at_most_5_of_100_campaigns(name: str) -> None:
    """The runs of one agent, the first three called one agent's and the last five another's."""
    _, scores = PLAUSIBLE[name](np.random.default_rng(9), 1500, 12, 8)
    found = [within_tasks_score_test(each[:, :3], each[:, 3:], 499) <= 0.05 for each in scores]
    assert 0.05 - 2 * NOISE <= np.mean(found) <= 0.05 + NOISE
