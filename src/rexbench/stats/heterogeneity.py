"""How much tasks differ, and how much agents agree on which are hard: the two numbers that decide what a design can show."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rexbench.stats.arrays import Floats
from rexbench.stats.means import task_means


@dataclass(frozen=True)
class Heterogeneity:
    """How success rates vary over tasks."""

    concentration: float
    """c of Beta(m c, (1 - m) c): 0 where every task is always or never solved, large where all tasks are alike."""
    agreement: float
    """Correlation of two agents' rates over tasks; 1 where they find the same tasks hard."""


def estimate_heterogeneity(wins: npt.ArrayLike, runs: npt.ArrayLike) -> Heterogeneity:
    """By moments, from successes and runs of shape (agents, tasks), the noise of runs taken out of every variance.

    Within an agent the variance of rates is B = S2 - mean of p (1 - p) / (n - 1), and c = M (1 - M) / B - 1 with M (1 - M) and B
    summed over agents (the moment estimate of a beta-binomial: Kleinman 1973, JASA 68:46); the agreement is the sum of covariances
    between agents over the sum of sqrt(B B'), a correlation corrected for attenuation (Spearman 1904). Needs two runs on each task.
    """
    rates, count = task_means(wins, runs), np.asarray(runs, dtype=np.float64)
    centre = rates.mean(axis=1)
    noise = (rates * (1 - rates) / (count - 1)).mean(axis=1)
    between = np.maximum(rates.var(axis=1, ddof=1) - noise, 0.0)
    concentration = float((centre * (1 - centre)).sum() / between.sum()) - 1
    covariance: Floats = np.cov(rates)
    pairs = np.triu_indices(len(rates), k=1)
    scale = np.sqrt(np.outer(between, between))[pairs].sum()
    return Heterogeneity(max(concentration, 0.0), float(covariance[pairs].sum() / scale))
