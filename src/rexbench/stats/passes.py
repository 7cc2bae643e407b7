"""More than one try: solved at least once, and solved every time."""

import numpy as np
import numpy.typing as npt

from rexbench.stats.arrays import Floats


def pass_at_k(wins: npt.ArrayLike, runs: npt.ArrayLike, k: int) -> Floats:
    """Chance that at least one of k runs succeeds: 1 - C(n - c, k) / C(n, k), unbiased (Chen et al. 2021, arXiv 2107.03374).

    NaN for tasks with fewer than k runs.
    """
    hits, count = np.asarray(wins, dtype=np.float64), np.asarray(runs, dtype=np.float64)
    return np.where(count >= k, 1 - _ratio(count - hits, count, k), np.nan)


def pass_hat_k(wins: npt.ArrayLike, runs: npt.ArrayLike, k: int) -> Floats:
    """Chance that all of k runs succeed: C(c, k) / C(n, k), unbiased (Yao et al. 2024, tau-bench, arXiv 2406.12045)."""
    hits, count = np.asarray(wins, dtype=np.float64), np.asarray(runs, dtype=np.float64)
    return np.where(count >= k, _ratio(hits, count, k), np.nan)


def _ratio(part: Floats, whole: Floats, k: int) -> Floats:
    """C(part, k) / C(whole, k); factor by factor, since both overflow for a few hundred runs."""
    enough = (part >= k) & (whole >= k)
    some, every = np.where(enough, part, k), np.where(enough, whole, k)
    return np.where(enough, np.prod([(some - at) / (every - at) for at in range(k)], axis=0), 0.0)
