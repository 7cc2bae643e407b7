"""Simulated campaigns with known rates, and how much the tasks of a campaign differ."""

import numpy as np
import numpy.typing as npt

from rexbench.stats.arrays import Floats, Integers
from rexbench.stats.means import task_means


def campaigns(
    count: int, tasks: int, runs: int, rates: tuple[float, float], concentration: float, seed: int
) -> tuple[Floats, Integers]:
    """True mean rates, drawn between two bounds, and successes by task; chances of tasks are Beta around the rate."""
    generator = np.random.default_rng(seed)
    rate = generator.uniform(*rates, size=count)
    chances = generator.beta(rate[:, None] * concentration, (1 - rate[:, None]) * concentration, size=(count, tasks))
    return rate, generator.binomial(runs, chances)


def heterogeneity(wins: npt.ArrayLike, runs: npt.ArrayLike) -> tuple[float, float]:
    """Concentration c of Beta(m c, (1 - m) c), and the correlation of two agents' rates over tasks, from shape (agents, tasks).

    By moments, the noise of runs taken out of every variance: within an agent B = S2 - mean of p (1 - p) / (n - 1), and
    c = M (1 - M) / B - 1 summed over agents (Kleinman 1973, JASA 68:46); the correlation is corrected for attenuation.
    """
    rates, count = task_means(wins, runs), np.asarray(runs, dtype=np.float64)
    centre = rates.mean(axis=1)
    noise = (rates * (1 - rates) / (count - 1)).mean(axis=1)
    between = np.maximum(rates.var(axis=1, ddof=1) - noise, 0.0)
    pairs = np.triu_indices(len(rates), k=1)
    scale = np.sqrt(np.outer(between, between))[pairs].sum()
    return float((centre * (1 - centre)).sum() / between.sum()) - 1, float(np.cov(rates)[pairs].sum() / scale)
