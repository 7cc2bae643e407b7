"""How far a headline may be from what the agent would score on other tasks of the same kind.

Three steps. A hierarchical bootstrap draws tasks with replacement and then runs within each drawn task (Davison and Hinkley 1997,
section 3.8; Saravanan et al. 2020, Neurons, Behavior, Data Analysis and Theory 3:5). Its variance is corrected for what two-stage
resampling gets wrong with few tasks: it is too small by (T - 1) / T, and it counts the noise of runs twice, once through the
tasks' observed means and once through the second stage. The corrected variance says how many independent runs the campaign is
worth, and Wilson's interval with that effective number and Student's t quantile turns it into limits that stay within 0 and 1
(Dean and Pagano 2015, Journal of Survey Statistics and Methodology 3:484; Franco et al. 2019, same journal, 7:334).

The plain percentile bootstrap was measured first: on 12 tasks x 5 runs its 95 % interval holds the true rate in 91 to 96 % of
campaigns, and in 70 to 91 % where agents seldom succeed, because it ends too low. The one used here holds it in 93 to 97 %, also
where some tasks are always and others never solved, and in up to 98 % where all tasks are equally hard, which none are. That is
over agents of many rates; at a single rate the few values that 12 tasks can give move it between 92 and 98 %.
`tests/stats/test_intervals.py` measures it.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rexbench.stats.arrays import Floats
from rexbench.stats.distributions import student_quantile
from rexbench.stats.means import headline, task_means

DRAWS = 2000
SEED = 20250622
_NORMAL_95 = 1.959963984540054


@dataclass(frozen=True)
class Estimate:
    """A rate with its 95 % interval."""

    value: float
    low: float
    high: float
    effective_runs: float
    """Independent runs that would say as much; NaN where nothing is known."""


def wilson(share: float, count: float, quantile: float = _NORMAL_95) -> tuple[float, float]:
    """Wilson's score interval for a share of `count` independent runs (Wilson 1927, JASA 22:209).

    (p + z2/2n +- z sqrt(p (1 - p) / n + z2 / 4n2)) / (1 + z2 / n), with z2 = z squared.
    """
    if count <= 0:
        return 0.0, 1.0
    square = quantile * quantile / count
    centre = (share + square / 2) / (1 + square)
    half = quantile / (1 + square) * np.sqrt(share * (1 - share) / count + square / (4 * count))
    return max(0.0, float(centre - half)), min(1.0, float(centre + half))


def hierarchical_draws(wins: npt.ArrayLike, runs: npt.ArrayLike, draws: int = DRAWS, seed: int = SEED) -> Floats:
    """Headlines of `draws` resampled campaigns, shape (draws, agents), from successes and runs of shape (agents, tasks).

    All agents meet the same drawn tasks, so that ranks can be compared draw by draw. For yes-or-no results the second stage is
    binomial: a task drawn m times gives Binomial(m n, k / n) / n, which is exact and needs no index of runs.
    """
    count, hits = np.atleast_2d(np.asarray(runs, dtype=np.int64)), np.atleast_2d(np.asarray(wins, dtype=np.int64))
    generator = np.random.default_rng(seed)
    tasks = count.shape[1]
    drawn = generator.multinomial(tasks, np.full(tasks, 1 / tasks), size=draws)
    out = np.full((draws, count.shape[0]), np.nan)
    for agent, (hit, number) in enumerate(zip(hits, count, strict=True)):
        known = number > 0
        share = hit[known] / number[known]
        total = (generator.binomial(drawn[:, known] * number[known], share) / number[known]).sum(axis=1)
        weight = drawn[:, known].sum(axis=1)
        np.divide(total, weight, out=out[:, agent], where=weight > 0)
    return out


def corrected_variance(draws: Floats, wins: npt.ArrayLike, runs: npt.ArrayLike) -> float:
    """T / (T - 1) (Var(draws) - W), with W = (1/T2) sum of p (1 - p) / n what the second stage adds.

    With many draws it tends to s2 / T, s2 the variance of the task means.
    """
    means = task_means(wins, runs)
    known = ~np.isnan(means)
    tasks = int(known.sum())
    if tasks < 2:
        return float("nan")
    noise = float((means[known] * (1 - means[known]) / np.asarray(runs)[known]).sum()) / tasks**2
    return tasks / (tasks - 1) * max(0.0, float(np.nanvar(draws)) - noise)


def estimate_from_variance(value: float, variance: float, tasks: int, runs: float) -> Estimate:
    """Wilson's interval with the effective number of runs v = p (1 - p) / variance, no less than T - 1 and no more than the runs.

    Where all runs ended alike nothing tells how tasks differ; then tasks, not runs, are taken as the independent ones. Where all
    tasks have the same mean, between 0 and 1, every run counts. With a single task there is nothing to generalise from: its runs
    are taken as they are.
    """
    if tasks == 0:
        return Estimate(float("nan"), float("nan"), float("nan"), float("nan"))
    if tasks == 1:
        return Estimate(value, *wilson(value, runs), runs)
    spread = value * (1 - value)
    worth = max(spread / variance, tasks - 1.0) if variance > 0 else runs
    effective = min(worth, runs) if spread > 0 else float(tasks)
    low, high = wilson(value, effective, student_quantile(0.975, tasks - 1))
    return Estimate(value, low, high, effective)


def estimate_rate(wins: npt.ArrayLike, runs: npt.ArrayLike, draws: Floats | None = None) -> Estimate:
    """A headline with its interval, from one agent's successes and runs by task; `draws` where they were made already.

    Draws over tasks that this agent did not run hold now more, now fewer of its own, and vary too much; then it gets its own.
    """
    count, hits = np.asarray(runs, dtype=np.int64), np.asarray(wins, dtype=np.int64)
    known = count > 0
    if not known.any():
        return estimate_from_variance(float("nan"), float("nan"), 0, 0.0)
    hits, count = hits[known], count[known]
    resampled = hierarchical_draws(hits, count)[:, 0] if draws is None or not known.all() else draws
    variance = corrected_variance(resampled, hits, count)
    return estimate_from_variance(float(headline(task_means(hits, count))), variance, len(count), float(count.sum()))


def estimate_mean(means: Floats, runs: float) -> Estimate:
    """The same for a quantity between 0 and 1 that is no yes or no, such as file recall; variance s2 / T of its means by task."""
    known = means[~np.isnan(means)]
    variance = float(known.var(ddof=1) / len(known)) if len(known) > 1 else float("nan")
    return estimate_from_variance(float(headline(means)), variance, len(known), runs)


def rank_intervals(draws: Floats) -> tuple[Floats, Floats, Floats]:
    """Lowest and highest rank of each agent in the middle 95 % of draws, and the share of draws in which it is first.

    An agent's rank is 1 + the number of agents above it; agents that tie for the first place share it. Percentiles of resampled
    ranks, as for league tables (Goldstein and Spiegelhalter 1996, Journal of the Royal Statistical Society A 159:385).
    """
    ordered = -np.where(np.isnan(draws), -np.inf, draws)
    better = np.array([np.searchsorted(np.sort(drawn), drawn) for drawn in ordered])
    first = better == 0
    share = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    low, high = np.quantile(better + 1, [0.025, 0.975], axis=0, method="nearest")
    return low.astype(np.float64), high.astype(np.float64), share
