"""What a design can and cannot show, by simulating it many times under a stated model.

The model: on each task an agent of mean rate m succeeds with a chance drawn from Beta(m c, (1 - m) c); two agents' chances on the
same task are tied by a Gaussian copula, since what is hard for one tends to be hard for the other; runs are then independent. c and
the tie are those of the published results unless told otherwise. The means of the two agents are `base` and `base + difference`.
Power is the share of simulated campaigns in which the test decides for a difference (Arnold et al. 2011, BMC Medical Research
Methodology 11:94).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rexbench.stats.arrays import Floats
from rexbench.stats.distributions import beta_cdf, normal_cdf
from rexbench.stats.paired import sign_flip_tests

SIMULATIONS = 2000
ALPHA = 0.05
_LISTED = 12
_FLIPS = 1999
"""Sign patterns drawn, at least, for designs of more tasks than `_LISTED`; each simulated campaign decides only yes or no."""
WANTED = 0.8
"""The power that a design is usually asked for (Cohen 1988)."""


@dataclass(frozen=True)
class Model:
    """Task difficulties and run noise."""

    base: float = 0.3
    """Mean success of the weaker agent."""
    concentration: float = 0.55
    """c: 0 where every task is always or never solved; by moments 0.42 to 0.63 at the three published hint levels."""
    tie: float = 0.64
    """Correlation of the two agents' latent ease; gives rates that correlate at 0.56, as the published ones do."""


@dataclass(frozen=True)
class Design:
    """How much is run."""

    tasks: int
    runs: int


def simulate(
    design: Design, model: Model, difference: float, simulations: int = SIMULATIONS, seed: int = 5
) -> tuple[Floats, Floats]:
    """Success rates by task of the better and the weaker agent, shape (simulations, tasks) each."""
    generator = np.random.default_rng(seed)
    shape = (simulations, design.tasks)
    shared, own_a, own_b = (generator.standard_normal(shape) for _ in range(3))
    rates = []
    for mean, own in ((model.base + difference, own_a), (model.base, own_b)):
        ease = np.sqrt(model.tie) * shared + np.sqrt(1 - model.tie) * own
        rates.append(generator.binomial(design.runs, _chances(ease, mean, model.concentration)) / design.runs)
    return rates[0], rates[1]


def power(
    design: Design, model: Model, difference: float, alpha: float = ALPHA, simulations: int = SIMULATIONS, seed: int = 5
) -> float:
    """Share of simulated campaigns in which the sign-flip test over tasks gives p <= alpha.

    For a comparison among m agents divide alpha by m (m - 1) / 2, the first and strictest step of Holm's procedure.
    """
    better, weaker = simulate(design, model, difference, simulations, seed)
    return float((sign_flip_tests(better - weaker, flips(design, alpha)) <= alpha).mean())


def power_on_these_tasks(
    design: Design, model: Model, difference: float, alpha: float = ALPHA, simulations: int = SIMULATIONS, seed: int = 5
) -> float:
    """The same for the test within tasks.

    Ask for a difference of 0 as well: agents that are equal over all tasks of the kind still differ on the tasks that were drawn,
    and this test finds that, rightly. Only what is found beyond it speaks for a difference in general.
    """
    better, weaker = (rates * design.runs for rates in simulate(design, model, difference, simulations, seed))
    return float((quick_within_tasks_tests(better, weaker, design.runs) <= alpha).mean())


def quick_within_tasks_tests(wins_a: Floats, wins_b: Floats, runs: int) -> Floats:
    """p of the test within tasks for many campaigns, one in each row, by its chi-square form (Mantel and Haenszel 1959).

    z2 = (|sum of (k_a - k_b) / 2| - 1/2)2 / (sum of m (2n - m) / (4 (2n - 1))), m = k_a + k_b of n runs each. With the correction
    of 1/2 it decides like the exact test in 99 of 100 campaigns; without it, in 95, and too often for a difference.
    """
    both = wins_a + wins_b
    variance = (both * (2 * runs - both) / (4 * max(1, 2 * runs - 1))).sum(axis=1)
    distance = np.maximum(np.abs(((wins_a - wins_b) / 2).sum(axis=1)) - 0.5, 0.0)
    squared = np.divide(distance**2, variance, out=np.zeros(len(both)), where=variance > 0)
    return 2 * normal_cdf(-np.sqrt(squared))


def detectable_difference(
    design: Design, model: Model, alpha: float = ALPHA, wanted: float = WANTED, simulations: int = SIMULATIONS, seed: int = 5
) -> float | None:
    """The smallest difference that is found with the wanted power, to half a point; None where even certain success is not."""
    return least_found(lambda gap: power(design, model, gap, alpha, simulations, seed), 1.0 - model.base, wanted)


def least_found(power_of: Callable[[float], float], most: float, wanted: float = WANTED) -> float | None:
    """The smallest difference up to `most` with the wanted power, to half a point; None where `most` has less.

    Bisection; with the same drawn tasks throughout, power grows with the difference but for the noise of runs.
    """
    low, high = 0.0, most
    if power_of(most) < wanted:
        return None
    while high - low > 0.005:
        middle = (low + high) / 2
        low, high = (low, middle) if power_of(middle) >= wanted else (middle, high)
    return high


def flips(design: Design, alpha: float) -> int | None:
    """How many sign patterns to draw; None: list all. A p below 1 / patterns cannot occur, so a strict level needs many."""
    return max(_FLIPS, math.ceil(10 / alpha)) if design.tasks > _LISTED else None


def _chances(ease: Floats, mean: float, concentration: float) -> Floats:
    """Beta quantiles at normal ease, read off fine grids of the chance's logit and of the ease."""
    if mean >= 1 or mean <= 0:
        return np.full(ease.shape, float(mean >= 1))
    grid = np.linspace(-6, 6, 1201)
    chances = 1 / (1 + np.exp(-np.linspace(-40, 40, 4001)))
    quantiles = np.interp(normal_cdf(grid), beta_cdf(chances, mean * concentration, (1 - mean) * concentration), chances)
    return np.interp(ease, grid, quantiles)
