"""From runs to headlines."""

import numpy as np
import pytest

from rexbench.stats.means import headline, tally, task_means, two_standard_errors


def test_every_task_weighs_the_same_however_many_runs_it_has() -> None:
    assert headline(task_means(np.array([10, 0]), np.array([10, 1]))) == 0.5


def test_a_task_without_runs_is_left_out() -> None:
    means = task_means(np.array([[1, 0, 2]]), np.array([[2, 0, 2]]))
    assert np.isnan(means[0, 1]) and headline(means)[0] == 0.75
    assert np.isnan(headline(task_means(np.zeros(3), np.zeros(3))))


def test_runs_are_summed_by_cell() -> None:
    sums = tally([np.array([0, 0, 1]), np.array([1, 1, 0])], (2, 2), [1.0, 0.0, 1.0])
    assert sums.tolist() == [[0, 1], [1, 0]]
    assert tally([np.array([0, 0, 1])], (3,)).tolist() == [2, 1, 0]


def test_the_published_bars_are_two_standard_errors_over_runs() -> None:
    outcomes = np.array([1] * 15 + [0] * 45)
    expected = 2 * outcomes.std(ddof=1) / np.sqrt(60)
    assert two_standard_errors(np.array([15, 0, 0]), np.array([20, 20, 20])) == pytest.approx(expected)
