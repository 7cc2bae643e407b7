"""Flaky tasks, frontiers and failure classes."""

import numpy as np
import pytest

from rexbench.stats.failures import failure_classes
from rexbench.stats.flaky import flakiness
from rexbench.stats.frontier import pareto


def test_a_task_that_always_answers_alike_is_not_flaky() -> None:
    steady = flakiness([5, 0, 5], [5, 5, 5])
    assert steady.disagreement == 0 and steady.mixed == 0 and steady.solved == pytest.approx(2 / 3)


def test_disagreement_estimates_the_chance_that_two_runs_differ() -> None:
    generator = np.random.default_rng(1)
    coin = flakiness(generator.binomial(5, 0.3, 20_000), np.full(20_000, 5))
    assert coin.disagreement == pytest.approx(2 * 0.3 * 0.7, abs=0.01)


def test_single_runs_cannot_show_flakiness() -> None:
    once = flakiness([1, 0], [1, 1])
    assert once.cells == 0 and np.isnan(once.disagreement)


def test_the_frontier_holds_whom_nobody_beats() -> None:
    on = pareto([1.0, 2.0, 3.0, 2.0, np.nan, 1.0], [0.2, 0.5, 0.4, 0.5, 0.9, 0.1])
    assert on.tolist() == [True, True, False, True, False, False]


def test_failures_are_counted_by_outcome_and_exception() -> None:
    found = failure_classes([("success", ""), ("execution_failed", "ValueError"), ("wrong_result", ""), ("wrong_result", "")])
    assert [(each.outcome, each.exception, each.count) for each in found] == [
        ("wrong_result", "", 2),
        ("execution_failed", "ValueError", 1),
    ]
    assert found[0].share == pytest.approx(2 / 3)
