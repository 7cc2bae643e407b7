# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Ensembles: many regressions on resampled data or on part of the library, combined by the median and by how often a function is kept."""

import numpy as np

from sindy.regression import stlsq


def bagging(
    columns: np.ndarray, target: np.ndarray, threshold: float, rng: np.random.Generator, models: int = 50, strength: float = 0.0
) -> np.ndarray:
    """Coefficients (models, functions, variables) of fits to rows drawn with replacement."""
    rows = len(columns)
    fits = []
    for _ in range(models):
        chosen = rng.integers(rows, size=rows)
        fits.append(stlsq(columns[chosen], target[chosen], threshold, strength))
    return np.array(fits)


def library_bagging(
    columns: np.ndarray, target: np.ndarray, threshold: float, rng: np.random.Generator, models: int = 50, left_out: int = 1
) -> np.ndarray:
    """Coefficients (models, functions, variables) of fits that may not use some functions, which then count as zero."""
    functions = columns.shape[1]
    fits = np.zeros((models, functions, target.shape[1]))
    for fit in fits:
        kept = np.sort(rng.permutation(functions)[left_out:])
        fit[kept] = stlsq(columns[:, kept], target, threshold)
    return fits


def inclusion(fits: np.ndarray) -> np.ndarray:
    """How often each coefficient is not zero."""
    return (fits != 0).mean(axis=0)


def combine(fits: np.ndarray, share: float = 0.6) -> np.ndarray:
    """The median of each coefficient over the fits that keep it, zero where fewer than `share` of them do."""
    kept = np.where(fits != 0, fits, np.nan)
    often = inclusion(fits) >= share
    weights = np.zeros(fits.shape[1:])
    weights[often] = np.nanmedian(kept[:, often], axis=0)
    return weights
