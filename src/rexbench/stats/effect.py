"""The difference between two agents, or between two hint levels of one agent, with its interval and both tests."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rexbench.stats.arrays import Floats
from rexbench.stats.distributions import student_quantile
from rexbench.stats.means import headline, task_means
from rexbench.stats.paired import sign_flip_test, smallest_p, within_tasks_score_test, within_tasks_test
from rexbench.stats.scores import score_means


@dataclass(frozen=True)
class Effect:
    """First minus second, in success or in score, over the tasks that both have."""

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
    differences = _by_task(task_means(arrays[0], arrays[1]) - task_means(arrays[2], arrays[3]))
    return _effect(differences, mean_interval(differences), within_tasks_test(*arrays))


def scored_effect(scores_a: npt.ArrayLike, scores_b: npt.ArrayLike) -> Effect:
    """The same for scores; arrays of shape (tasks, runs) or (hint levels, tasks, runs), NaN where there is no run."""
    first, second = (np.asarray(given, dtype=np.float64) for given in (scores_a, scores_b))
    differences = _by_task(np.atleast_2d(score_means(first) - score_means(second)))
    runs_a, runs_b = (given.reshape(-1, given.shape[-1]) for given in (first, second))
    return _effect(differences, mean_interval(differences, bound=float("inf")), within_tasks_score_test(runs_a, runs_b))


def mean_interval(differences: Floats, bound: float = 1.0) -> tuple[float, float, float]:
    """Mean per-task difference d and its 95 % interval d +- t(T - 1) s / sqrt(T), over tasks (Miller 2024, arXiv 2411.00640).

    Where all tasks give the same difference, s is 0 and says nothing. Then the interval is what T tasks leave open: a share q of
    tasks that behave otherwise is missed by all of them with chance (1 - q)^T; q where that is 5 %, at its worst in either
    direction, gives d - q (1 + d) to d + q (1 - d). Limits stay within `bound`, beyond which no difference can be.
    """
    tasks = len(differences)
    if tasks == 0:
        return float("nan"), float("nan"), float("nan")
    mean = float(differences.mean())
    if np.ptp(differences) < 1e-9:
        missed = 1 - 0.05 ** (1 / tasks)
        return mean, mean - missed * max(0.0, 1 + mean), mean + missed * max(0.0, 1 - mean)
    half = float(student_quantile(0.975, tasks - 1) * differences.std(ddof=1) / np.sqrt(tasks))
    return mean, max(-bound, mean - half), min(bound, mean + half)


def _by_task(gaps: Floats) -> Floats:
    """Differences of shape (hint levels, tasks) averaged over the levels that both agents have; tasks without any are left out."""
    differences = headline(gaps.T)
    differences = differences[~np.isnan(differences)]
    differences[np.abs(differences) < 1e-12] = 0.0
    return differences


def _effect(differences: Floats, interval: tuple[float, float, float], p_runs: float) -> Effect:
    return Effect(
        *interval,
        p_tasks=sign_flip_test(differences),
        p_runs=p_runs,
        smallest_p=smallest_p(int((differences != 0).sum())),
        tasks=len(differences),
        better=int((differences > 0).sum()),
        worse=int((differences < 0).sum()),
    )
