"""Does an agent know what it has found? What runs claimed beside what was measured.

Arrays have shape (tasks, runs). NaN in what was measured: there is no run. NaN in a claim, or a claim that makes no sense: the run
claimed nothing, which is counted and never guessed. Every task counts the same, as everywhere. Limits and results of intervals are
in units of score, since the raw figures of different tasks cannot be averaged.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from rexbench.stats.arrays import Booleans, Floats
from rexbench.stats.intervals import Estimate, estimate_mean
from rexbench.stats.means import headline
from rexbench.stats.scores import MeanScore, mean_score, score_means

CLAIMED_LEVEL = 0.8
"""How often a claimed interval is meant to hold the result."""
LIKELY = 0.5
"""A claimed chance from which on success was announced."""
EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True)
class Bin:
    """Runs whose claimed chance lies between two edges; the upper one is in the last bin alone."""

    low: float
    high: float
    runs: int
    claimed: float
    """Mean claimed chance."""
    succeeded: Estimate
    """Share that succeeded; equal to `claimed` where the agent is calibrated."""


@dataclass(frozen=True)
class SuccessClaims:
    """Claimed chances of success beside outcomes."""

    claimed: int
    missing: int
    brier: MeanScore
    """Mean of (claimed chance - outcome)2: 0 is perfect, .25 is what a constant one half gets."""
    reference: float
    """What a constant claim of the agent's own success rate would have got."""
    skill: float
    """1 - brier / reference: above 0 where claims tell more than the rate; NaN where all runs ended alike."""
    overclaimed: Estimate
    """Share of claiming runs that announced success, at 0.5 or more, and failed."""
    bins: tuple[Bin, ...]


@dataclass(frozen=True)
class IntervalClaims:
    """Claimed 80 % intervals beside results."""

    claimed: int
    missing: int
    covered: Estimate
    """Share of intervals that hold the result; 80 % is meant."""
    interval_score: MeanScore
    """Mean width plus ten times the distance by which a result was missed: less is better."""
    reference: float
    """What the one interval would have got that suits all of the agent's results best: from their 10 % to their 90 % quantile."""
    skill: float
    """1 - interval score / reference; NaN where all results are the same."""
    overclaimed: Estimate
    """Share of intervals that lie wholly above the result."""


def success_claims(chances: npt.ArrayLike, success: npt.ArrayLike) -> SuccessClaims:
    """Brier score (Brier 1950, Monthly Weather Review 78:1), reference and calibration, from chances and outcomes 0 or 1."""
    chance, outcome = np.atleast_2d(np.asarray(chances, np.float64)), np.atleast_2d(np.asarray(success, np.float64))
    ran = ~np.isnan(outcome)
    made = ran & (chance >= 0) & (chance <= 1)
    brier = _within(mean_score(np.where(made, (chance - outcome) ** 2, np.nan)), 1.0)
    rate = float(headline(score_means(np.where(made, outcome, np.nan))))
    return SuccessClaims(
        claimed=int(made.sum()),
        missing=int((ran & ~made).sum()),
        brier=brier,
        reference=rate * (1 - rate),
        skill=_skill(brier.value, rate * (1 - rate)),
        overclaimed=_share((chance >= LIKELY) & (outcome == 0), made),
        bins=tuple(_bin(low, high, chance, outcome, made) for low, high in pairwise(EDGES)),
    )


def interval_claims(low: npt.ArrayLike, high: npt.ArrayLike, scores: npt.ArrayLike) -> IntervalClaims:
    """Coverage and interval score, (u - l) + (2 / a) (l - x)+ + (2 / a) (x - u)+ with a = .2, from claimed limits and scores.

    Nobody gets a smaller one by claiming otherwise than they believe (Winkler 1972, JASA 67:187; Gneiting and Raftery 2007, JASA
    102:359).
    """
    lower, upper, result = (np.atleast_2d(np.asarray(given, np.float64)) for given in (low, high, scores))
    ran = ~np.isnan(result)
    made = ran & np.isfinite(lower) & np.isfinite(upper) & (lower <= upper)
    score = _within(mean_score(np.where(made, _interval_score(lower, upper, result), np.nan)), np.inf)
    reference = _best_constant(result, made)
    return IntervalClaims(
        claimed=int(made.sum()),
        missing=int((ran & ~made).sum()),
        covered=_share((lower <= result) & (result <= upper), made),
        interval_score=score,
        reference=reference,
        skill=_skill(score.value, reference),
        overclaimed=_share(lower > result, made),
    )


def _interval_score(low: Floats, high: Floats, result: Floats) -> Floats:
    missed = np.maximum(low - result, 0.0) + np.maximum(result - high, 0.0)
    return np.asarray(high - low + 2 / (1 - CLAIMED_LEVEL) * missed)


def _best_constant(result: Floats, made: Booleans) -> float:
    """The mean interval score of the quantiles of all results, each task weighing the same; no constant interval has a smaller."""
    if not made.any():
        return float("nan")
    weights = (made / np.maximum(made.sum(axis=1, keepdims=True), 1))[made]
    tails = [(1 - CLAIMED_LEVEL) / 2, (1 + CLAIMED_LEVEL) / 2]
    low, high = np.quantile(result[made], tails, weights=weights, method="inverted_cdf")
    return float(headline(score_means(np.where(made, _interval_score(low, high, result), np.nan))))


def _bin(low: float, high: float, chance: Floats, outcome: Floats, made: Booleans) -> Bin:
    inside = made & (chance >= low) & ((chance < high) | (high == EDGES[-1]))
    claimed = float(headline(score_means(np.where(inside, chance, np.nan))))
    return Bin(low, high, int(inside.sum()), claimed, _share(outcome == 1, inside))


def _within(found: MeanScore, most: float) -> MeanScore:
    """With limits that this mean can have: from 0 to `most`."""
    return replace(found, low=float(np.clip(found.low, 0.0, most)), high=float(np.clip(found.high, 0.0, most)))


def _share(events: Booleans, among: Booleans) -> Estimate:
    return estimate_mean(score_means(np.where(among, events, np.nan)), float(among.sum()))


def _skill(value: float, reference: float) -> float:
    return 1 - value / reference if reference > 0 else float("nan")
