"""What runs claimed beside what was measured."""

import numpy as np
import pytest

from rexbench.stats.claims import interval_claims, success_claims

NONE = np.nan


def test_the_brier_score_stands_beside_that_of_the_base_rate() -> None:
    found = success_claims([[0.9, 0.8], [0.1, 0.6]], [[1, 1], [0, 0]])
    assert found.brier.value == pytest.approx((0.01 + 0.04 + 0.01 + 0.36) / 4)
    assert found.reference == 0.25 and found.skill == pytest.approx(1 - found.brier.value / 0.25)


def test_every_task_weighs_the_same_in_score_and_reference() -> None:
    found = success_claims([[0.5, 0.5, 0.5], [0.2, NONE, NONE]], [[1, 1, 1], [0, NONE, NONE]])
    assert found.brier.value == pytest.approx((0.25 + 0.04) / 2) and found.reference == 0.25


def test_who_claims_the_base_rate_has_no_skill() -> None:
    outcomes = np.random.default_rng(1).random((12, 5)) < 0.3
    assert success_claims(np.full((12, 5), outcomes.mean()), outcomes).skill == pytest.approx(0)


def test_missing_claims_are_counted_and_change_nothing_else() -> None:
    with_gaps = success_claims([[0.9, NONE, NONE], [0.3, 0.4, NONE]], [[1, 0, 1], [0, 1, NONE]])
    without = success_claims([[0.9, NONE], [0.3, 0.4]], [[1, NONE], [0, 1]])
    assert (with_gaps.claimed, with_gaps.missing, without.missing) == (3, 2, 0)
    assert with_gaps.brier == without.brier and with_gaps.overclaimed == without.overclaimed


@pytest.mark.parametrize("chance", [-0.1, 1.1, np.inf, -np.inf])
def test_a_chance_that_makes_no_sense_counts_as_none(chance: float) -> None:
    found = success_claims([[0.5, chance]], [[1, 1]])
    assert (found.claimed, found.missing, found.brier.value) == (1, 1, 0.25)


def test_overclaiming_is_announcing_success_and_failing() -> None:
    found = success_claims([[0.5, 0.49], [0.9, 0.1]], [[0, 0], [1, 0]])
    assert found.overclaimed.value == 0.25


def test_bins_set_claimed_beside_achieved() -> None:
    found = success_claims([[0.1, 0.9, 1.0, 0.2]], [[0, 1, 0, 1]])
    assert [each.runs for each in found.bins] == [1, 1, 0, 0, 2]
    assert found.bins[-1].claimed == pytest.approx(0.95) and found.bins[-1].succeeded.value == 0.5
    assert np.isnan(found.bins[2].claimed) and np.isnan(found.bins[2].succeeded.value)


def test_without_any_claim_nothing_is_known() -> None:
    found = success_claims([[NONE, NONE]], [[1, 0]])
    assert (found.claimed, found.missing) == (0, 2)
    assert np.isnan([found.brier.value, found.reference, found.skill, found.overclaimed.value]).all()
    empty = interval_claims([[NONE]], [[NONE]], [[0.5]])
    assert (empty.claimed, empty.missing) == (0, 1) and np.isnan([empty.interval_score.value, empty.reference, empty.skill]).all()


def test_where_all_runs_end_alike_there_is_no_skill_to_speak_of() -> None:
    assert np.isnan(success_claims([[0.2, 0.3]], [[0, 0]]).skill)


def test_the_interval_score_is_width_plus_ten_times_the_miss() -> None:
    found = interval_claims([[0.2, 0.2, 0.2]], [[0.6, 0.6, 0.6]], [[0.5, 0.1, 0.9]])
    assert found.interval_score.value == pytest.approx((0.4 + (0.4 + 1.0) + (0.4 + 3.0)) / 3)
    assert found.covered.value == pytest.approx(1 / 3) and found.overclaimed.value == pytest.approx(1 / 3)


def test_limits_belong_to_the_interval() -> None:
    found = interval_claims([[0.2, 0.2]], [[0.6, 0.6]], [[0.2, 0.6]])
    assert found.covered.value == 1 and found.overclaimed.value == 0


def test_no_constant_interval_beats_the_reference() -> None:
    draw = np.random.default_rng(2)
    results = draw.gamma(1.5, 0.3, (6, 5))
    results[3:, 1:] = NONE
    results[3:, 0] += 1.0
    found = interval_claims(np.zeros((6, 5)), np.ones((6, 5)), results)
    for low in np.linspace(-0.2, 1.2, 15):
        for high in np.linspace(low, 3, 15):
            other = interval_claims(np.full((6, 5), low), np.full((6, 5), high), results)
            assert other.interval_score.value >= found.reference - 1e-9 and other.reference == found.reference


@pytest.mark.parametrize(("low", "high"), [(NONE, 1.0), (0.2, np.inf), (-np.inf, np.inf), (0.9, 0.1)])
def test_an_interval_that_makes_no_sense_counts_as_none(low: float, high: float) -> None:
    found = interval_claims([[0.1, low]], [[0.9, high]], [[0.5, 0.5]])
    assert (found.claimed, found.missing, found.interval_score.value) == (1, 1, 0.8)


def test_true_beliefs_are_calibrated_and_hopeful_ones_are_seen_through() -> None:
    draw = np.random.default_rng(3)
    chance = draw.beta(1, 1, (400, 5))
    outcome = (draw.random((400, 5)) < chance).astype(float)
    honest, hopeful = success_claims(chance, outcome), success_claims(np.sqrt(chance), outcome)
    assert all(abs(each.claimed - each.succeeded.value) < 0.06 for each in honest.bins)
    assert honest.brier.value < hopeful.brier.value and honest.overclaimed.value < hopeful.overclaimed.value
    belief = draw.normal(0.5, 0.3, (400, 5))
    result = belief + draw.normal(0, 0.1, (400, 5))
    honest_intervals, high_ones = (interval_claims(belief + s - 0.128, belief + s + 0.128, result) for s in (0.0, 0.1))
    assert honest_intervals.covered.value == pytest.approx(0.8, abs=0.03) and honest_intervals.skill > 0.4
    assert honest_intervals.interval_score.value < high_ones.interval_score.value
    assert honest_intervals.overclaimed.value == pytest.approx(0.1, abs=0.02) and high_ones.overclaimed.value > 0.3


def test_intervals_of_what_is_told_hold_the_truth_in_93_to_99_of_100_campaigns() -> None:
    """Tasks differ in how far the agent misjudges them."""
    draw = np.random.default_rng(4)
    brier, covered = [], []
    for _ in range(1000):
        bias, noise = draw.normal(0, 0.1, (12, 1)), draw.normal(0, 0.1, (12, 5))
        found = interval_claims(bias + noise - 0.18, bias + noise + 0.18, np.zeros((12, 5)))
        covered.append(found.covered.low <= 0.797 <= found.covered.high)
        chance = draw.uniform(0, 1, (12, 5))
        outcome = (draw.random((12, 5)) < chance).astype(float)
        scored = success_claims(chance, outcome).brier
        brier.append(scored.low <= 1 / 6 <= scored.high)
    assert 0.93 <= np.mean(covered) <= 0.99 and 0.93 <= np.mean(brier) <= 0.99
