"""What a design can and cannot show about scores, by simulating it many times under a stated model.

The model: on a task two agents' expected scores differ by the general difference and by what is this task's own, normal with a
standard deviation of `between`; a run differs from its expectation by a normal error with a standard deviation of `within`.
"""

from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

import numpy as np

from rexbench.stats.arrays import Floats
from rexbench.stats.distributions import normal_cdf
from rexbench.stats.paired import sign_flip_tests
from rexbench.stats.power import ALPHA, SIMULATIONS, Design, flips, least_found

_MOST = 8.0
"""Standard deviations of a task's measured difference beyond which no detectable difference is looked for."""


@dataclass(frozen=True)
class ScoreModel:
    """How far tasks and runs scatter, in units of score: 0 is the baseline, 1 is gold."""

    between: float = 0.25
    """Of two agents' difference over tasks. Task means anywhere between 0 and 1 alike scatter by .29; those of two agents that
    correlate at .56, as published success rates do, differ by .29 sqrt(2 (1 - .56)) = .27; where few tasks are solved, by less."""
    within: float = 0.15
    """Of runs on one task. Repeats near gold scattered by .05; below it, a run does or does not find the next of six to ten ideas,
    each worth .1 to .2, so that one idea more or less is the scatter."""


def simulate_scores(
    design: Design, model: ScoreModel, difference: float, simulations: int = SIMULATIONS, seed: int = 5
) -> tuple[Floats, Floats]:
    """By simulation and task, the difference of mean scores, and the sum of squares of all runs around their agent's mean."""
    generator = np.random.default_rng(seed)
    shape = (simulations, design.tasks)
    spread = sqrt(model.between**2 + 2 * model.within**2 / design.runs)
    squares = model.within**2 * generator.chisquare(2 * design.runs - 2, shape) if design.runs > 1 else np.zeros(shape)
    return difference + spread * generator.standard_normal(shape), squares


def score_power(
    design: Design, model: ScoreModel, difference: float, alpha: float = ALPHA, simulations: int = SIMULATIONS
) -> float:
    """Share of simulated campaigns in which the sign-flip test over tasks gives p <= alpha."""
    gaps, _ = simulate_scores(design, model, difference, simulations)
    return float((sign_flip_tests(gaps, flips(design, alpha)) <= alpha).mean())


def score_power_on_these_tasks(
    design: Design, model: ScoreModel, difference: float, alpha: float = ALPHA, simulations: int = SIMULATIONS
) -> float:
    """The same for the test within tasks, which also finds what is these tasks' own, as for success."""
    gaps, squares = simulate_scores(design, model, difference, simulations)
    return float((quick_within_tasks_score_tests(gaps, squares, design.runs) <= alpha).mean())


def quick_within_tasks_score_tests(gaps: Floats, squares: Floats, runs: int) -> Floats:
    """p of the test within tasks for many campaigns, one in each row, by its normal form.

    Dealt out at random, the difference d of a task's two means has mean 0 and variance 2 V / n, V = (squares + n d2 / 2) / (2n - 1)
    the variance of all its 2n runs; z is the sum of d over the root of the sum of variances.
    """
    variance = ((squares + runs * gaps**2 / 2) / (2 * runs - 1) * 2 / runs).sum(axis=1)
    return 2 * normal_cdf(-np.abs(gaps.sum(axis=1)) / np.sqrt(variance))


def detectable_score_difference(
    design: Design, model: ScoreModel, alpha: float = ALPHA, simulations: int = SIMULATIONS
) -> float | None:
    """The smallest difference found over tasks with 80 % power, to half a hundredth; None where none is, however large."""
    most = _MOST * sqrt(model.between**2 + 2 * model.within**2 / design.runs)
    return least_found(lambda gap: score_power(design, model, gap, alpha, simulations), most)


def scored_power(tasks: int, runs: int, difference: float, agents: int = 2, model: ScoreModel | None = None) -> dict[str, Any]:
    """All that is told about a design of scored tasks, and what more tasks or runs would change; for agents, Holm's first step."""
    model, design, pairs = model or ScoreModel(), Design(tasks, runs), agents * (agents - 1) // 2
    alpha = ALPHA / pairs
    others = (Design(tasks, 4 * runs), Design(2 * tasks, runs), Design(4 * tasks, runs), Design(8 * tasks, runs))
    return {
        "tasks": tasks,
        "runs": runs,
        "difference": difference,
        "pairs": pairs,
        "model": asdict(model),
        "power_over_tasks": score_power(design, model, difference, alpha),
        "power_on_these_tasks": score_power_on_these_tasks(design, model, difference, alpha),
        "power_on_these_tasks_if_equal": score_power_on_these_tasks(design, model, 0.0, alpha),
        "detectable_difference": detectable_score_difference(design, model, alpha),
        "instead": [
            {"tasks": other.tasks, "runs": other.runs, "power_over_tasks": score_power(other, model, difference, alpha, 1000)}
            for other in others
        ],
    }
