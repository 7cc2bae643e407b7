"""Student's t, Beta and the normal distribution, as far as intervals and tests need them.

Written out because a library that has all distributions is larger than the rest of the program. `tests/stats/test_distributions.py`
holds every function beside scipy's.
"""

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from rexbench.stats.arrays import Floats


def normal_cdf(values: npt.ArrayLike) -> Floats:
    """P(Z <= z), by the complementary error function, so that small chances keep their digits."""
    given = np.asarray(values, dtype=np.float64)
    return np.array([math.erfc(-value / math.sqrt(2)) / 2 for value in given.ravel().tolist()]).reshape(given.shape)


def beta_cdf(values: npt.ArrayLike, a: float, b: float) -> Floats:
    """I_x(a, b), by the continued fraction of Abramowitz and Stegun (1964), 26.5.8.

    It converges fast for x below (a + 1) / (a + b + 2); above, I_x(a, b) = 1 - I_(1 - x)(b, a). It is evaluated from its tail, to a
    depth that grows with the root of the larger parameter, as its convergence asks for.
    """
    given = np.asarray(values, dtype=np.float64)
    turned = given > (a + 1) / (a + b + 2)
    x, a_, b_ = np.where(turned, 1 - given, given), np.where(turned, b, a), np.where(turned, a, b)
    tail = np.ones(given.shape)
    for m in range(40 + int(4 * math.sqrt(max(a, b))), 0, -1):
        odd = -(a_ + m) * (a_ + b_ + m) * x / ((a_ + 2 * m) * (a_ + 2 * m + 1))
        even = m * (b_ - m) * x / ((a_ + 2 * m - 1) * (a_ + 2 * m))
        tail = 1 + even / (1 + odd / tail)
    fraction = 1 / (1 - (a_ + b_) * x / ((a_ + 1) * tail))
    constant = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    with np.errstate(divide="ignore"):
        front = np.exp(a_ * np.log(x) + b_ * np.log1p(-x) + constant) / a_
    return np.asarray(np.where(turned, 1 - front * fraction, front * fraction))


def student_tail(t: float, degrees: float) -> float:
    """P(T > t) for t of at least 0: half of I_x(v / 2, 1 / 2) at x = v / (v + t2); near 0, where x is all but 1, its complement."""
    square = t * t
    if square < 1:
        return (1 - float(beta_cdf(square / (degrees + square), 0.5, degrees / 2))) / 2
    return float(beta_cdf(degrees / (degrees + square), degrees / 2, 0.5)) / 2


@lru_cache(maxsize=1024)
def student_quantile(chance: float, degrees: float) -> float:
    """The t with P(T <= t) = chance.

    Newton's method from 0: the tail is convex there, so that every step ends short of the solution and none overshoots.
    """
    if chance < 0.5:
        return -student_quantile(1 - chance, degrees)
    constant = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2) - math.log(degrees * math.pi) / 2
    t, step = 0.0, 1.0
    while step > 1e-12 * t:
        density = math.exp(constant - (degrees + 1) / 2 * math.log1p(t * t / degrees))
        step = (student_tail(t, degrees) - (1 - chance)) / density
        t += step
    return t
