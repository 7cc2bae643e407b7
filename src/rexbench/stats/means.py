"""From single runs to a headline: sums by cell, means by task, the mean over tasks.

Every task counts the same, however many runs it has; a mean over runs would let the tasks with fewer faults weigh more.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rexbench.stats.arrays import Floats, Integers


def tally(codes: Sequence[npt.NDArray[np.integer]], shape: Sequence[int], values: npt.ArrayLike | None = None) -> Floats:
    """Sum of values (or count of runs) in each cell, from one code per run and axis; linear in the number of runs."""
    cells = np.ravel_multi_index(tuple(codes), tuple(shape))
    weights = None if values is None else np.asarray(values, dtype=np.float64)
    return np.bincount(cells, weights=weights, minlength=int(np.prod(shape))).astype(np.float64).reshape(shape)


def task_means(sums: npt.ArrayLike, runs: npt.ArrayLike) -> Floats:
    """y[..., t] = sums / runs; NaN for a task without runs."""
    total, count = np.asarray(sums, dtype=np.float64), np.asarray(runs, dtype=np.float64)
    empty = np.full(np.broadcast_shapes(total.shape, count.shape), np.nan)
    return np.asarray(np.divide(total, count, out=empty, where=count > 0))


def headline(means: Floats) -> Floats:
    """(1/T) sum over t of y[..., t]: the mean over the tasks with runs, as in arXiv 2506.22598, Table 5; NaN where none has any."""
    known = ~np.isnan(means)
    count = known.sum(axis=-1)
    total = np.where(known, means, 0.0).sum(axis=-1)
    return np.asarray(np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0))


def two_standard_errors(wins: Integers, runs: Integers) -> float:
    """Half the error bar of the published tables: 2 sqrt(p (1 - p) / (n - 1)) over all n runs, p the share of successes.

    For comparability alone (arXiv 2506.22598, section 5). It takes runs on the same task for independent, which they are not, and
    is about half as wide as an interval that holds for other tasks.
    """
    total = int(runs.sum())
    if total < 2:
        return float("nan")
    share = float(wins.sum()) / total
    return float(2 * np.sqrt(share * (1 - share) / (total - 1)))
