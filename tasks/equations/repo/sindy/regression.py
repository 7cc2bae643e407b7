# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Sparse regression: which columns of a library explain the slopes."""

import numpy as np


def ridge(columns: np.ndarray, target: np.ndarray, strength: float) -> np.ndarray:
    """Least squares with a penalty on the squared coefficients."""
    if strength == 0:
        return np.linalg.lstsq(columns, target, rcond=None)[0]
    gram = columns.T @ columns + strength * np.eye(columns.shape[1])
    return np.linalg.solve(gram, columns.T @ target)


def stlsq(columns: np.ndarray, target: np.ndarray, threshold: float, strength: float = 0.0, rounds: int = 10) -> np.ndarray:
    """Sequentially thresholded least squares; coefficients (functions, variables).

    Each round sets coefficients below the threshold to zero and fits the others again, one variable at a time.
    """
    weights = ridge(columns, target, strength)
    for _ in range(rounds):
        small = np.abs(weights) < threshold
        weights[small] = 0
        for variable in range(target.shape[1]):
            kept = ~small[:, variable]
            if kept.any():
                weights[kept, variable] = ridge(columns[:, kept], target[:, variable], strength)
    return weights


def information_criterion(columns: np.ndarray, target: np.ndarray, weights: np.ndarray) -> float:
    """Akaike's criterion with the correction for few samples; smaller is better."""
    count = target.size
    used = int(np.count_nonzero(weights))
    error = float(np.mean((target - columns @ weights) ** 2)) + 1e-300
    correction = 2 * used * (used + 1) / max(count - used - 1, 1)
    return count * np.log(error) + 2 * used + correction


def best_threshold(columns: np.ndarray, target: np.ndarray, thresholds: tuple[float, ...], strength: float = 0.0) -> np.ndarray:
    """The coefficients of the threshold that the information criterion prefers."""
    fits = [stlsq(columns, target, threshold, strength) for threshold in thresholds]
    return min(fits, key=lambda weights: information_criterion(columns, target, weights))
