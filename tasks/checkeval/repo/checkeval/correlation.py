# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Agreement of a score table with mean human ratings."""

from __future__ import annotations

import numpy as np
import pandas as pd

from checkeval.config import CorrelationConfig


def pearson(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.corrcoef(x, y)[0, 1])


def ranks(x: np.ndarray) -> np.ndarray:
    """Ranks from 1; tied values share the mean of theirs."""
    _, place, count = np.unique(x, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    return (last - (count - 1) / 2)[place]


def spearman(x: np.ndarray, y: np.ndarray) -> float:
    return pearson(ranks(x), ranks(y))


def kendall(x: np.ndarray, y: np.ndarray) -> float:
    """Tau-b: ties in either variable shrink the denominator. Quadratic in length, which is 16 at document level."""
    sx = np.sign(np.subtract.outer(x, x))
    sy = np.sign(np.subtract.outer(y, y))
    return float(np.sum(sx * sy) / np.sqrt(np.sum(sx**2) * np.sum(sy**2)))


COEFFICIENTS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}


def coefficients(x: np.ndarray, y: np.ndarray) -> dict[str, float]:
    return {name: measure(x, y) for name, measure in COEFFICIENTS.items()}


def _constant(x: np.ndarray) -> bool:
    return bool(np.all(x == x[0]))


def by_document(joined: pd.DataFrame, min_systems: int) -> dict[str, float]:
    """Over the systems of each document, then the mean over documents. Documents without variation are skipped."""
    found = []
    for _, group in joined.groupby("document", sort=True):
        x, y = group["score"].to_numpy(float), group["human"].to_numpy(float)
        if len(x) < min_systems or _constant(x) or _constant(y):
            continue
        found.append(coefficients(x, y))
    if not found:
        return {name: float("nan") for name in COEFFICIENTS}
    return {name: float(np.mean([one[name] for one in found])) for name in COEFFICIENTS}


def by_system(joined: pd.DataFrame) -> dict[str, float]:
    means = joined.groupby("system", sort=True)[["score", "human"]].mean()
    return coefficients(means["score"].to_numpy(), means["human"].to_numpy())


def correlate(scores: pd.DataFrame, human: pd.DataFrame, dimension: str, config: CorrelationConfig | None = None) -> dict[str, float]:
    """Coefficients of one dimension at the configured level, over the summaries that have both a score and a rating."""
    config = config or CorrelationConfig()
    joined = scores[scores["dimension"] == dimension].merge(human, on=["document", "system", "dimension"])
    if config.level == "document":
        return by_document(joined, config.min_systems)
    if config.level == "system":
        return by_system(joined)
    if config.level == "corpus":
        return coefficients(joined["score"].to_numpy(float), joined["human"].to_numpy(float))
    raise ValueError(f"unknown correlation level {config.level!r}")
