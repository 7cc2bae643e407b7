# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Sparse linear structural models from an observational sample: an order of the variables, then a regression of each on its predecessors."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class LinearModel:
    """x = weights x + noise; row i of the weights holds the direct causes of variable i."""

    weights: np.ndarray

    def effects(self, held: np.ndarray, pushed: np.ndarray, mean: np.ndarray) -> np.ndarray:
        """Change of the means when some variables are held (NaN: free) and others pushed."""
        free = np.isnan(held)
        weights = np.where(free[:, None], self.weights, 0.0)
        return np.linalg.solve(np.eye(len(held)) - weights, np.where(free, pushed, np.nan_to_num(held) - mean))


def order_by_variance(sample: np.ndarray) -> list[int]:
    """Repeatedly the variable with the least variance given those already in order: causes first where noise is alike."""
    centred = sample - sample.mean(0)
    left, order = list(range(sample.shape[1])), []
    while left:
        rest = centred[:, left]
        if order:
            known = centred[:, order]
            rest = rest - known @ np.linalg.lstsq(known, rest, rcond=None)[0]
        order.append(left.pop(int(rest.var(0).argmin())))
    return order


def soft(values: np.ndarray, by: float) -> np.ndarray:
    return np.sign(values) * np.maximum(np.abs(values) - by, 0.0)


def lasso(features: np.ndarray, target: np.ndarray, penalty: float, sweeps: int = 200) -> np.ndarray:
    """Coordinate descent on standardised features."""
    scale = features.std(0) + 1e-12
    standard = (features - features.mean(0)) / scale
    rest, weights = target - target.mean(), np.zeros(features.shape[1])
    for _ in range(sweeps):
        before = weights.copy()
        for i in range(len(weights)):
            rest = rest + standard[:, i] * weights[i]
            weights[i] = soft(standard[:, i] @ rest / len(rest), penalty)
            rest = rest - standard[:, i] * weights[i]
        if np.abs(weights - before).max() < 1e-6:
            break
    return weights / scale


def fit_linear(sample: np.ndarray, penalty: float = 0.05) -> LinearModel:
    """Order by variance, choose causes by the lasso, estimate their weights by least squares."""
    order = order_by_variance(sample)
    weights = np.zeros((sample.shape[1],) * 2)
    for at, child in enumerate(order[1:], 1):
        before = order[:at]
        target = sample[:, child]
        chosen = [i for i, weight in zip(before, lasso(sample[:, before], target, penalty * target.std()), strict=True) if weight]
        if chosen:
            centred = sample[:, chosen] - sample[:, chosen].mean(0)
            weights[child, chosen] = np.linalg.lstsq(centred, target - target.mean(), rcond=None)[0]
    return LinearModel(weights)
