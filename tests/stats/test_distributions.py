"""The distributions beside scipy's."""

import numpy as np
import pytest
from scipy import special

from rexbench.stats.distributions import beta_cdf, normal_cdf, student_quantile, student_tail
from rexbench.stats.power import _chances

DEGREES = [1, 1.5, 2, 4, 11, 59, 1000, 1_000_000]


def test_the_normal_distribution_keeps_its_digits_far_out() -> None:
    places = np.linspace(-30, 10, 401).reshape(-1, 1)
    assert normal_cdf(places) == pytest.approx(special.ndtr(places), rel=1e-11, abs=0)
    assert normal_cdf(places).shape == places.shape


@pytest.mark.parametrize("a", [0.0055, 0.165, 0.5, 1, 2.5, 30, 1000])
@pytest.mark.parametrize("b", [0.0055, 0.385, 0.5, 1, 3, 30, 1000])
def test_the_beta_distribution_is_scipys_everywhere(a: float, b: float) -> None:
    centre, spread = a / (a + b), np.sqrt(a * b / (a + b + 1)) / (a + b)
    around = np.clip(centre + spread * np.linspace(-6, 6, 121), 0, 1)
    places = np.concatenate([[0, 1], np.logspace(-200, -1, 100), np.linspace(0.1, 0.9, 81), 1 - np.logspace(-12, -1, 50), around])
    assert beta_cdf(places, a, b) == pytest.approx(special.betainc(a, b, places), abs=1e-9)


@pytest.mark.parametrize("degrees", DEGREES)
@pytest.mark.parametrize("chance", [1e-6, 0.025, 0.4, 0.5, 0.500001, 0.9, 0.975, 0.9999, 1 - 1e-9])
def test_student_quantiles_are_scipys(degrees: float, chance: float) -> None:
    assert student_quantile(chance, degrees) == pytest.approx(special.stdtrit(degrees, chance), rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("degrees", DEGREES)
@pytest.mark.parametrize("t", [0, 1e-6, 0.5, 2, 12, 400])
def test_student_tails_are_scipys(degrees: float, t: float) -> None:
    assert student_tail(t, degrees) == pytest.approx(special.stdtr(degrees, -t), rel=1e-7, abs=1e-300)


@pytest.mark.parametrize("mean", [0.01, 0.3, 0.5, 0.95])
def test_chances_of_success_are_beta_quantiles_of_their_ease(mean: float) -> None:
    ease = np.linspace(-5, 5, 333)
    expected = special.betaincinv(mean * 0.55, (1 - mean) * 0.55, special.ndtr(ease))
    assert _chances(ease, mean, 0.55) == pytest.approx(expected, abs=2e-4)
