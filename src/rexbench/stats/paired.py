"""Do two agents differ? Both worked on the same tasks, so the question is asked task by task.

Two answers, to two questions. The sign-flip test takes the tasks as a sample and speaks about other tasks of the same kind; with
few tasks it cannot be very sure of anything, and `smallest_p` says how sure it could have been at best. The test within tasks takes
these very tasks as given and only the runs as random; it is surer, and says nothing about other tasks.
"""

from functools import lru_cache
from math import comb

import numpy as np
import numpy.typing as npt

from rexbench.stats.arrays import Booleans, Floats

EXACT_UP_TO = 16
"""Tasks with a difference up to which all sign patterns are tried: 2 to the 16."""
FLIPS = 9999
_SEED = 11
_TIE = 1e-9
"""Sums that differ by less are equal: the same numbers in another order."""
_BLOCK = 4_000_000


def sign_flip_test(differences: npt.ArrayLike) -> float:
    """Two-sided p that the mean per-task difference is 0, from all (or 9,999 drawn) ways to swap the agents task by task.

    p = share of sign patterns s with |sum of s d| >= |sum of d| (Fisher 1935, The Design of Experiments, section 21); drawn
    patterns count the observed one as well, (1 + hits) / (1 + draws), so that p is never 0 (Phipson and Smyth 2010, Statistical
    Applications in Genetics and Molecular Biology 9:39). Tasks without a difference tell nothing and are left out, which does not
    change p.
    """
    given = np.asarray(differences, dtype=np.float64)
    telling = given[~np.isnan(given) & (given != 0)]
    return float(sign_flip_tests(telling[None, :])[0]) if len(telling) else 1.0


def sign_flip_tests(differences: Floats, flips: int | None = None) -> Floats:
    """The same for many comparisons at once, one in each row and all on the same patterns; `flips` of them drawn if it is given."""
    tasks = differences.shape[1]
    drawn = flips or (FLIPS if tasks > EXACT_UP_TO else 0)
    signs = _drawn_patterns(tasks, drawn) if drawn else _all_patterns(tasks)
    observed = np.abs(differences.sum(axis=1)) - _TIE
    hits = np.zeros(len(differences))
    rows = max(1, _BLOCK // signs.shape[1])
    for start in range(0, len(differences), rows):
        part = slice(start, start + rows)
        hits[part] = (np.abs(differences[part] @ signs) >= observed[part, None]).sum(axis=1)
    return np.asarray((hits + 1) / (drawn + 1) if drawn else hits / signs.shape[1])


def smallest_p(differing_tasks: int) -> float:
    """The least p that a sign-flip test over so many differing tasks can give: all differences on the same side.

    2 / 2^m where all patterns are listed, 1 / (1 + draws) where they are drawn.
    """
    if differing_tasks > EXACT_UP_TO:
        return 1.0 / (FLIPS + 1)
    return 2.0 / 2.0**differing_tasks if differing_tasks else 1.0


def within_tasks_test(wins_a: npt.ArrayLike, runs_a: npt.ArrayLike, wins_b: npt.ArrayLike, runs_b: npt.ArrayLike) -> float:
    """Two-sided p that on each of these tasks the two agents succeed equally often; the runs alone are random.

    The exact Cochran-Mantel-Haenszel test (Agresti 2013, Categorical Data Analysis, section 7.3). Given how many m of a task's
    n_a + n_b runs succeeded in all, the first agent's share k of them is hypergeometric with mean m n_a / (n_a + n_b); the
    distribution of K = sum of k over tasks is their convolution, on whole numbers and so without rounding, and
    p = P(|K - E K| >= |K observed - E K|). With one task it is Fisher's exact test.
    """
    arrays = [np.asarray(given, dtype=np.int64).ravel() for given in (wins_a, runs_a, wins_b, runs_b)]
    least, chances, mean, observed = 0, np.ones(1), 0.0, 0
    for hit_a, count_a, hit_b, count_b in zip(*(array.tolist() for array in arrays), strict=True):
        if count_a == 0 or count_b == 0:
            continue
        lowest, odds = _hypergeometric(count_a, count_b, hit_a + hit_b)
        least, chances = least + lowest, np.convolve(chances, odds)
        mean += (hit_a + hit_b) * count_a / (count_a + count_b)
        observed += hit_a
    distances = np.abs(least + np.arange(len(chances)) - mean)
    return min(1.0, float(chances[distances >= abs(observed - mean) - _TIE].sum()))


def within_tasks_score_test(scores_a: npt.ArrayLike, scores_b: npt.ArrayLike, deals: int = FLIPS) -> float:
    """Two-sided p that on each of these tasks the scores of both agents are distributed alike; the runs alone are random.

    Shapes (tasks, runs), NaN where there is no run. Each task's runs are dealt out again to the two agents, as many to each as it
    had; the statistic is the sum over tasks of mean a - mean b (a stratified permutation test: Good 2005, Permutation, Parametric
    and Bootstrap Tests of Hypotheses, chapter 6). p = (1 + hits) / (1 + deals). With one run each it is the sign-flip test.
    """
    observed, dealt = 0.0, np.zeros(deals)
    for task, (row_a, row_b) in enumerate(zip(np.atleast_2d(scores_a), np.atleast_2d(scores_b), strict=True)):
        first, second = row_a[~np.isnan(row_a)], row_b[~np.isnan(row_b)]
        if len(first) == 0 or len(second) == 0:
            continue
        pool = np.concatenate([first, second])
        pool = pool - pool.mean()
        weight = 1 / len(first) + 1 / len(second)
        observed += weight * float(pool[: len(first)].sum())
        dealt += weight * (pool @ _deals(task, len(first), len(pool), deals))
    return float((1 + (np.abs(dealt) >= abs(observed) - _TIE).sum()) / (1 + deals))


def mcnemar_test(first: Booleans, second: Booleans) -> float:
    """Exact McNemar for one run on each task: the discordant tasks against a fair coin (McNemar 1947, Psychometrika 12:153)."""
    only_first, only_second = int((first & ~second).sum()), int((second & ~first).sum())
    discordant = only_first + only_second
    tail = sum(comb(discordant, count) for count in range(min(only_first, only_second) + 1))
    return min(1.0, float(2 * tail / 2**discordant))


def holm(p_values: npt.ArrayLike) -> Floats:
    """p-values adjusted for how many there are, so that the chance of any false finding keeps to the level.

    In ascending order the i-th of m becomes the maximum over j <= i of (m - j + 1) p(j), at most 1 (Holm 1979, Scandinavian Journal
    of Statistics 6:65).
    """
    given = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    stepped = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


@lru_cache(maxsize=32)
def _all_patterns(tasks: int) -> Floats:
    """Every sign pattern as a column, the last sign fixed: a pattern and its opposite give the same size."""
    numbers = np.arange(2 ** max(0, tasks - 1))
    return np.asarray(1.0 - 2.0 * ((numbers[None, :] >> np.arange(tasks)[:, None]) & 1), dtype=np.float64)


@lru_cache(maxsize=8)
def _drawn_patterns(tasks: int, flips: int) -> Floats:
    return np.random.default_rng(_SEED).choice(np.array([-1.0, 1.0]), size=(tasks, flips))


@lru_cache(maxsize=256)
def _deals(task: int, count: int, total: int, deals: int) -> Booleans:
    """Which `count` of a task's `total` runs the first agent gets, in each deal: shape (total, deals); other for every task."""
    places = np.random.default_rng([_SEED, task]).random((total, deals)).argsort(axis=0)
    return np.asarray(places < count)


@lru_cache(maxsize=4096)
def _hypergeometric(count_a: int, count_b: int, hits: int) -> tuple[int, Floats]:
    """The least that the first agent's successes may have been, and the chances of it and the numbers after it; kept for reuse."""
    support = range(max(0, hits - count_b), min(hits, count_a) + 1)
    whole = comb(count_a + count_b, hits)
    return support.start, np.array([comb(count_a, hit) * comb(count_b, hits - hit) / whole for hit in support])
