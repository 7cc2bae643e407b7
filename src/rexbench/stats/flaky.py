"""Which tasks give another answer when asked again."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Flakiness:
    """One task over all agents and hint levels that ran it at least twice."""

    cells: int
    """Agents x hint levels."""
    mixed: int
    """Of these, with both successes and failures."""
    solved: float
    """Mean success over the cells."""
    disagreement: float
    """Chance that two runs of the same agent at the same hint level differ; at most one half is to be expected of a coin."""


def flakiness(wins: npt.ArrayLike, runs: npt.ArrayLike) -> Flakiness:
    """From successes and runs of one task by cell: the sum of 2 k (n - k) over the sum of n (n - 1), unbiased for 2 p (1 - p).

    It is the pair-counting estimate behind Gini's index and Fleiss' kappa (Fleiss 1971, Psychological Bulletin 76:378).
    """
    hits, count = np.asarray(wins, dtype=np.float64).ravel(), np.asarray(runs, dtype=np.float64).ravel()
    repeated = count >= 2
    hits, count = hits[repeated], count[repeated]
    pairs = float((count * (count - 1)).sum())
    return Flakiness(
        cells=len(count),
        mixed=int(((hits > 0) & (hits < count)).sum()),
        solved=float((hits / count).mean()) if len(count) else float("nan"),
        disagreement=float((2 * hits * (count - hits)).sum()) / pairs if pairs else float("nan"),
    )
