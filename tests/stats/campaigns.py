"""Simulated campaigns with known rates."""

import numpy as np

from rexbench.stats.arrays import Floats, Integers


def campaigns(
    count: int, tasks: int, runs: int, rates: tuple[float, float], concentration: float, seed: int
) -> tuple[Floats, Integers]:
    """True mean rates, drawn between two bounds, and successes by task; chances of tasks are Beta around the rate."""
    generator = np.random.default_rng(seed)
    rate = generator.uniform(*rates, size=count)
    chances = generator.beta(rate[:, None] * concentration, (1 - rate[:, None]) * concentration, size=(count, tasks))
    return rate, generator.binomial(runs, chances)
