"""Power for scores: the model against the tests that it stands for."""

import numpy as np
import pytest

from rexbench.stats.arrays import Floats
from rexbench.stats.paired import sign_flip_tests, within_tasks_score_test
from rexbench.stats.power import Design
from rexbench.stats.score_power import (
    ScoreModel,
    detectable_score_difference,
    quick_within_tasks_score_tests,
    score_power,
    score_power_on_these_tasks,
    scored_power,
    simulate_scores,
)
from rexbench.stats.scores import score_means

TWELVE = Design(12, 5)


def campaigns(design: Design, model: ScoreModel, difference: float, count: int, seed: int) -> tuple[Floats, Floats]:
    """Scores of two agents, run by run, shape (campaigns, tasks, runs) each."""
    draw = np.random.default_rng(seed)
    own = draw.normal(difference, model.between, (count, design.tasks, 1))
    first, second = (draw.normal(0.4, model.within, (count, design.tasks, design.runs)) for _ in range(2))
    return first + own, second


def test_with_twelve_tasks_and_five_runs_a_quarter_of_the_way_to_gold_is_found() -> None:
    assert detectable_score_difference(TWELVE, ScoreModel()) == pytest.approx(0.24, abs=0.01)


def test_what_is_called_detectable_is_found_in_80_of_100_campaigns_of_single_runs() -> None:
    model = ScoreModel()
    least = detectable_score_difference(TWELVE, model)
    assert least is not None
    first, second = campaigns(TWELVE, model, least, 3000, seed=2)
    found = sign_flip_tests(score_means(first) - score_means(second)) <= 0.05
    assert found.mean() == pytest.approx(0.8, abs=0.025)


@pytest.mark.parametrize("runs", [1, 2, 5])
def test_the_simulated_sums_are_those_of_single_runs(runs: int) -> None:
    model, design = ScoreModel(0.3, 0.2), Design(40, runs)
    first, second = campaigns(design, model, 0.1, 500, seed=3)
    squares = ((first - first.mean(axis=2, keepdims=True)) ** 2 + (second - second.mean(axis=2, keepdims=True)) ** 2).sum(axis=2)
    gaps, simulated = simulate_scores(design, model, 0.1, 500)
    assert gaps.std() == pytest.approx((score_means(first) - score_means(second)).std(), rel=0.03)
    assert gaps.mean() == pytest.approx(0.1, abs=0.01) and simulated.mean() == pytest.approx(squares.mean(), rel=0.03)


@pytest.mark.parametrize("runs", [2, 5])
def test_on_the_very_same_tasks_the_quick_form_decides_like_dealing_out(runs: int) -> None:
    design = Design(12, runs)
    first, second = campaigns(design, ScoreModel(), 0.1, 400, seed=4)
    squares = ((first - first.mean(axis=2, keepdims=True)) ** 2 + (second - second.mean(axis=2, keepdims=True)) ** 2).sum(axis=2)
    quick = quick_within_tasks_score_tests(score_means(first) - score_means(second), squares, runs) <= 0.05
    dealt = np.array([within_tasks_score_test(a, b, 999) <= 0.05 for a, b in zip(first, second, strict=True)])
    assert (quick == dealt).mean() >= 0.96


def test_power_grows_with_tasks_runs_and_the_difference_and_is_5_of_100_without_one() -> None:
    model = ScoreModel()
    assert score_power(TWELVE, model, 0.0) == pytest.approx(0.05, abs=0.015)
    assert score_power(TWELVE, model, 0.1) < score_power(TWELVE, model, 0.2) < score_power(Design(24, 5), model, 0.2)
    assert score_power(Design(12, 1), model, 0.2) < score_power(TWELVE, model, 0.2)


def test_agents_that_are_equal_in_general_often_differ_on_a_dozen_tasks() -> None:
    assert score_power_on_these_tasks(TWELVE, ScoreModel(), 0.0) > 0.2
    assert score_power_on_these_tasks(TWELVE, ScoreModel(between=0.0), 0.0) == pytest.approx(0.05, abs=0.015)


def test_five_tasks_cannot_show_any_difference() -> None:
    assert detectable_score_difference(Design(5, 5), ScoreModel()) is None


def test_all_that_is_told_of_a_design_is_there_and_stricter_among_many_agents() -> None:
    two, nine = scored_power(12, 5, 0.2), scored_power(12, 5, 0.2, agents=9)
    assert two["pairs"] == 1 and nine["pairs"] == 36 and two["model"] == {"between": 0.25, "within": 0.15}
    assert two["power_over_tasks"] > nine["power_over_tasks"] and two["detectable_difference"] < nine["detectable_difference"]
    assert [(row["tasks"], row["runs"]) for row in two["instead"]] == [(12, 20), (24, 5), (48, 5), (96, 5)]
