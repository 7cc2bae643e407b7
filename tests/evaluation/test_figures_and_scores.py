"""Scores: 0 is live base, 1 is live gold, on the task's scale; a success is what work as good as gold reaches."""

import math

import pytest
from scipy import stats

from rexbench.errors import SystemFault
from rexbench.evaluation.evaluate import Compared, combine, decide
from rexbench.evaluation.score import accepted_from, judge_figure, score
from rexbench.record.model import Evaluation
from rexbench.task.schema import Figure
from tests.evaluation.made import execution, scored

HIGHER = Figure(name="x", direction="higher", about="x")
LOWER = Figure(name="x", direction="lower", about="x")
ERROR = Figure(name="x", direction="lower", scale="log", about="x")


@pytest.mark.parametrize(
    ("figure", "value", "base", "gold", "expected"),
    [
        (HIGHER, 0.2, 0.2, 0.6, 0.0),
        (HIGHER, 0.6, 0.2, 0.6, 1.0),
        (HIGHER, 0.8, 0.2, 0.6, 1.5),
        (HIGHER, 0.0, 0.2, 0.6, -0.5),
        (LOWER, 2.0, 4.0, 2.0, 1.0),
        (LOWER, 3.0, 4.0, 2.0, 0.5),
        (ERROR, 0.1, 1.0, 0.01, 0.5),
        (ERROR, 0.001, 1.0, 0.01, 1.5),
    ],
)
def test_a_score_is_the_share_of_the_way_from_base_to_gold(
    figure: Figure, value: float, base: float, gold: float, expected: float
) -> None:
    assert score(figure, value, base, gold) == pytest.approx(expected)


@pytest.mark.parametrize(("figure", "base", "gold"), [(HIGHER, 0.5, 0.5), (HIGHER, 0.6, 0.5), (LOWER, 1.0, 2.0), (ERROR, 1.0, 1.0)])
def test_where_gold_is_no_better_than_base_there_is_no_score(figure: Figure, base: float, gold: float) -> None:
    with pytest.raises(SystemFault, match="not better than the unchanged repository"):
        score(figure, 1.0, base, gold)


@pytest.mark.parametrize("held_out", [1, 4])
def test_a_success_begins_where_one_in_twenty_of_golds_equals_would_fail(held_out: int) -> None:
    spec = scored(held_out=held_out)
    expected = 1 - stats.t.ppf(0.95, 4) * 0.02885 * math.sqrt(2 / held_out)
    assert accepted_from(spec) == pytest.approx(expected)
    assert accepted_from(scored(calibration=None)) == pytest.approx(1.0, abs=1e-5)


def evaluation(value: float, seed: int = 7) -> Evaluation:
    base, gold, run = (execution(metrics={"error": figure}) for figure in (1.0, 0.01, value))
    figure = judge_figure(scored(), run, base, gold)
    made = decide(scored(), run, "gold", Compared(figure=figure), frozenset({"a.py"}), "now")
    return made.model_copy(update={"variant_seed": seed})


def test_the_figure_alone_decides_about_a_scored_run() -> None:
    for value, outcome in ((0.01, "success"), (0.001, "success"), (0.02, "below_gold"), (2.0, "below_gold")):
        made = evaluation(value)
        assert made.outcome == outcome and made.score == made.figure.score  # type: ignore[union-attr]
    assert evaluation(1.0).score == pytest.approx(0.0)


def test_a_scored_run_that_did_not_run_has_a_score_of_zero() -> None:
    made = decide(scored(), execution(ending="timeout"), "gold", Compared(), frozenset(), "now")
    assert (made.outcome, made.score) == ("timeout", 0.0)


def test_over_several_worlds_the_mean_decides() -> None:
    better, worse, far = evaluation(0.005, 1), evaluation(0.0125, 2), evaluation(0.5, 3)
    assert (better.outcome, worse.outcome) == ("success", "success")
    assert combine("t", [evaluation(0.0001), evaluation(0.013)]).outcome == "success"
    assert combine("t", [better, far]).outcome == "below_gold"
    assert combine("t", [better, far]).score == pytest.approx(((better.score or 0) + (far.score or 0)) / 2)
