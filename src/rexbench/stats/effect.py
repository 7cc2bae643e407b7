"""The difference between two agents, or between two hint levels of one agent, with its interval and both tests."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rexbench.stats.arrays import Floats
from rexbench.stats.distributions import student_quantile
from rexbench.stats.means import task_means
from rexbench.stats.paired import sign_flip_test, smallest_p, within_tasks_test


@dataclass(frozen=True)
class Effect:
    """First minus second, in points of success, over the tasks that both have."""

    difference: float
    low: float
    high: float
    p_tasks: float
    """Sign-flip test: for other tasks of the same kind."""
    p_runs: float
    """Test within tasks: for these very tasks."""
    smallest_p: float
    """What `p_tasks` could have been at best with so many differing tasks."""
    tasks: int
    better: int
    worse: int


def effect(wins_a: npt.ArrayLike, runs_a: npt.ArrayLike, wins_b: npt.ArrayLike, runs_b: npt.ArrayLike) -> Effect:
    """Compare two agents over tasks; arrays of shape (tasks) or (hint levels, tasks).

    Hint levels are averaged within a task before tasks are compared: they share what is hard about the task.
    """
    arrays = [np.atleast_2d(np.asarray(given, dtype=np.int64)) for given in (wins_a, runs_a, wins_b, runs_b)]
    gaps = task_means(arrays[0], arrays[1]) - task_means(arrays[2], arrays[3])
    known = ~np.isnan(gaps)
    levels = known.sum(axis=0)
    differences = np.where(known, gaps, 0.0).sum(axis=0)[levels > 0] / levels[levels > 0]
    differences[np.abs(differences) < 1e-12] = 0.0
    differing = int((differences != 0).sum())
    return Effect(
        *mean_interval(differences),
        p_tasks=sign_flip_test(differences),
        p_runs=within_tasks_test(*arrays),
        smallest_p=smallest_p(differing),
        tasks=len(differences),
        better=int((differences > 0).sum()),
        worse=int((differences < 0).sum()),
    )


def mean_interval(differences: Floats) -> tuple[float, float, float]:
    """Mean per-task difference d and its 95 % interval d +- t(T - 1) s / sqrt(T), over tasks (Miller 2024, arXiv 2411.00640).

    Where all tasks give the same difference, s is 0 and says nothing. Then the interval is what T tasks leave open: a share q of
    tasks that behave otherwise is missed by all of them with chance (1 - q)^T; q where that is 5 %, at its worst in either
    direction, gives d - q (1 + d) to d + q (1 - d).
    """
    tasks = len(differences)
    if tasks == 0:
        return float("nan"), float("nan"), float("nan")
    mean = float(differences.mean())
    if np.ptp(differences) < 1e-9:
        missed = 1 - 0.05 ** (1 / tasks)
        return mean, mean - missed * (1 + mean), mean + missed * (1 - mean)
    half = float(student_quantile(0.975, tasks - 1) * differences.std(ddof=1) / np.sqrt(tasks))
    return mean, max(-1.0, mean - half), min(1.0, mean + half)
