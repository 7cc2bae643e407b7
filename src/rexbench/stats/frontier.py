"""Who is beaten by nobody on price and success at once."""

import numpy as np
import numpy.typing as npt

from rexbench.stats.arrays import Booleans


def pareto(price: npt.ArrayLike, success: npt.ArrayLike) -> Booleans:
    """True for agents such that no other succeeds at least as often for at most the price, and better in one of the two.

    Agent i is beaten if some j has c_j <= c_i and y_j >= y_i, one of them strictly: Pareto efficiency, as agents' costs ought to be
    read (Kapoor et al. 2024, arXiv 2407.01502). Price may be money or time; NaN in either is never on the frontier.
    """
    cost, gain = np.asarray(price, dtype=np.float64), np.asarray(success, dtype=np.float64)
    known = ~(np.isnan(cost) | np.isnan(gain))
    no_worse = (cost[None, :] <= cost[:, None]) & (gain[None, :] >= gain[:, None])
    better = (cost[None, :] < cost[:, None]) | (gain[None, :] > gain[:, None])
    beaten = (no_worse & better & known[None, :]).any(axis=1)
    return np.asarray(known & ~beaten)
