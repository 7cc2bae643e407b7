"""Simulated campaigns of scored tasks whose mean score is known: how tasks differ, and how runs on one task do.

Each function gives the true mean of each campaign and scores of shape (campaigns, tasks, runs). Agents of many levels are drawn:
at a single level the few values that a dozen tasks can give move every share of campaigns up or down.
"""

from collections.abc import Callable

import numpy as np

from rexbench.stats.arrays import Floats

World = Callable[[np.random.Generator, int, int, int], tuple[Floats, Floats]]


def normal(draw: np.random.Generator, count: int, tasks: int, runs: int) -> tuple[Floats, Floats]:
    """Task means spread normally by .25 around the agent's level, runs by .15 around the task's mean."""
    level = draw.uniform(0.2, 0.9, (count, 1, 1))
    return level[:, 0, 0], level + draw.normal(0, 0.25, (count, tasks, 1)) + draw.normal(0, 0.15, (count, tasks, runs))


def skewed(draw: np.random.Generator, count: int, tasks: int, runs: int) -> tuple[Floats, Floats]:
    """Most tasks near the baseline, a few far above: Gamma(1.5) times the level; runs vary with the task's mean."""
    level = draw.uniform(0.2, 0.6, (count, 1, 1))
    return level[:, 0, 0], level * draw.gamma(1.5, 1 / 1.5, (count, tasks, 1)) * draw.gamma(9, 1 / 9, (count, tasks, runs))


def falling(draw: np.random.Generator, count: int, tasks: int, runs: int) -> tuple[Floats, Floats]:
    """Most tasks near gold, a few far below, some below the baseline: 1 minus Gamma(1.5)."""
    level = draw.uniform(0.2, 0.7, (count, 1, 1))
    means = 1 - (1 - level) * draw.gamma(1.5, 1 / 1.5, (count, tasks, 1))
    return level[:, 0, 0], means + draw.normal(0, 0.1, (count, tasks, runs))


def bimodal(draw: np.random.Generator, count: int, tasks: int, runs: int) -> tuple[Floats, Floats]:
    """A task is solved, around 1, or not, around .1; one quarter to three quarters are."""
    solved = draw.uniform(0.25, 0.75, (count, 1, 1))
    means = np.where(draw.random((count, tasks, 1)) < solved, 1.0, 0.1) + draw.normal(0, 0.15, (count, tasks, 1))
    return (0.1 + 0.9 * solved)[:, 0, 0], means + draw.normal(0, 0.1, (count, tasks, runs))


def lucky(draw: np.random.Generator, count: int, tasks: int, runs: int) -> tuple[Floats, Floats]:
    """A run finds the idea, around 1, or does not, around .1, with a chance that is Beta over tasks."""
    found = draw.uniform(0.25, 0.75, (count, 1, 1))
    chance = draw.beta(2 * found, 2 * (1 - found), (count, tasks, 1))
    scores = np.where(draw.random((count, tasks, runs)) < chance, 1.0, 0.1)
    return (0.1 + 0.9 * found)[:, 0, 0], scores + draw.normal(0, 0.1, (count, tasks, runs))


def failing(draw: np.random.Generator, count: int, tasks: int, runs: int) -> tuple[Floats, Floats]:
    """As normal, but a third of all runs leave no result and score 0; on some tasks many do."""
    level = draw.uniform(0.4, 0.9, (count, 1, 1))
    scores = level + draw.normal(0, 0.2, (count, tasks, 1)) + draw.normal(0, 0.1, (count, tasks, runs))
    return (level * 2 / 3)[:, 0, 0], np.where(draw.random((count, tasks, runs)) < draw.beta(1, 2, (count, tasks, 1)), 0.0, scores)


def ladder(draw: np.random.Generator, count: int, tasks: int, runs: int) -> tuple[Floats, Floats]:
    """Eight obstacles in a row, each worth an eighth; a run gets past each with a chance that is the task's, until it is stuck."""
    ease = draw.uniform(0.5, 0.9, (count, 1, 1))
    chance = draw.beta(6 * ease, 6 * (1 - ease), (count, tasks, 1))
    passed = np.minimum(draw.geometric(np.clip(1 - chance, 1e-9, 1), (count, tasks, runs)) - 1, 8)
    return _expected_passed(ease[:, 0, 0]) / 8, passed / 8 + draw.normal(0, 0.03, (count, tasks, runs))


def heavy(draw: np.random.Generator, count: int, tasks: int, runs: int) -> tuple[Floats, Floats]:
    """Lognormal over tasks, some far above gold."""
    level = draw.uniform(0.2, 0.6, (count, 1, 1))
    means = level * np.exp(draw.normal(-0.18, 0.6, (count, tasks, 1)))
    return level[:, 0, 0], means + draw.normal(0, 0.1, (count, tasks, runs))


def even(draw: np.random.Generator, count: int, tasks: int, runs: int) -> tuple[Floats, Floats]:
    """Task means anywhere between the baseline and twice the level alike; runs heavy-tailed (Student's t of 3)."""
    level = draw.uniform(0.3, 0.6, (count, 1, 1))
    return level[:, 0, 0], draw.uniform(0, 2 * level, (count, tasks, 1)) + 0.1 * draw.standard_t(3, (count, tasks, runs))


def alike(draw: np.random.Generator, count: int, tasks: int, runs: int) -> tuple[Floats, Floats]:
    """Tasks that hardly differ: by .1."""
    level = draw.uniform(0.2, 0.9, (count, 1, 1))
    return level[:, 0, 0], level + draw.normal(0, 0.1, (count, tasks, 1)) + draw.normal(0, 0.1, (count, tasks, runs))


def seldom(draw: np.random.Generator, count: int, tasks: int, runs: int) -> tuple[Floats, Floats]:
    """One task in ten to one in four is solved and scores 1, the rest 0: a small campaign may well see none."""
    solved = draw.uniform(0.1, 0.25, (count, 1, 1))
    means = np.where(draw.random((count, tasks, 1)) < solved, 1.0, 0.0)
    return solved[:, 0, 0], means + draw.normal(0, 0.05, (count, tasks, runs))


PLAUSIBLE: dict[str, World] = {each.__name__: each for each in (normal, skewed, falling, bimodal, lucky, failing)}
"""The interval's two constants were chosen on these and on `EXTREME`."""
FRESH: dict[str, World] = {each.__name__: each for each in (ladder, heavy, even)}
"""These played no part in that choice."""
EXTREME: dict[str, World] = {each.__name__: each for each in (alike, seldom)}


def equals(world: World, draw: np.random.Generator, count: int, tasks: int, runs: int) -> tuple[Floats, Floats]:
    """Two agents of the same level that differ on every task: the halves of a campaign of twice as many tasks."""
    _, scores = world(draw, count, 2 * tasks, runs)
    return scores[:, :tasks], scores[:, tasks:]


def rivals(world: World, draw: np.random.Generator, count: int, tasks: int, runs: int) -> tuple[Floats, Floats]:
    """Two agents whose scores scatter unlike each other around the same mean: agents of two levels, less their true means."""
    pair = [world(draw, count, tasks, runs) for _ in range(2)]
    first, second = (scores - truth[:, None, None] for truth, scores in pair)
    return first, second


def thinned(draw: np.random.Generator, scores: Floats) -> Floats:
    """The same campaigns with one run in four missing, and one task in ten: NaN."""
    count, tasks, _ = scores.shape
    missing = (draw.random(scores.shape) < 0.25) | (draw.random((count, tasks, 1)) < 0.1)
    return np.where(missing, np.nan, scores)


def _expected_passed(ease: Floats) -> Floats:
    """Sum over j = 1 to 8 of E chance^j, chance Beta(6 e, 6 (1 - e))."""
    a = 6 * ease
    moment, total = np.ones_like(a), np.zeros_like(a)
    for at in range(8):
        moment = moment * (a + at) / (6 + at)
        total = total + moment
    return total
