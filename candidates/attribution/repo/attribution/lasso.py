# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The lasso by coordinate descent, for datamodels with the penalty of Ilyas et al. (2022)."""

import numpy as np

from attribution.datamodel import design
from attribution.worlds import World

SWEEPS = 200
TOLERANCE = 1e-6


def lasso(x: np.ndarray, y: np.ndarray, strength: float) -> np.ndarray:
    """Weights that minimise half the squared error plus strength times the sum of absolute weights; x and y are centred."""
    size = np.maximum((x**2).sum(0), 1e-12)
    weights, left = np.zeros(x.shape[1]), y.copy()
    for _ in range(SWEEPS):
        largest = 0.0
        for j in range(x.shape[1]):
            push = x[:, j] @ left + size[j] * weights[j]
            new = np.sign(push) * max(abs(push) - strength, 0.0) / size[j]
            change = new - weights[j]
            if change:
                left -= change * x[:, j]
                weights[j] = new
                largest = max(largest, abs(change))
        if largest < TOLERANCE:
            break
    return weights


def choose_strength(x: np.ndarray, y: np.ndarray, strengths: list[float], folds: int = 4) -> float:
    """The strength with the least error on records that were left out, in folds."""
    fold = np.arange(len(x)) % folds
    errors = []
    for strength in strengths:
        wrong = 0.0
        for out in range(folds):
            keep = fold != out
            centre, mean = x[keep].mean(0), y[keep].mean()
            weights = lasso(x[keep] - centre, y[keep] - mean, strength)
            wrong += np.sum((y[~keep] - mean - (x[~keep] - centre) @ weights) ** 2)
        errors.append(wrong)
    return strengths[int(np.argmin(errors))]


def predict_lasso(world: World, strengths: list[float], size_term: bool = True) -> np.ndarray:
    """Margins of the asked subsets, (asked, test rows)."""
    x, asked = design(world.subsets, size_term), design(world.asked, size_term)
    centre = x.mean(0)
    predicted = np.empty((len(asked), world.margins.shape[1]))
    for at in range(predicted.shape[1]):
        y = world.margins[:, at]
        weights = lasso(x - centre, y - y.mean(), choose_strength(x, y, strengths))
        predicted[:, at] = y.mean() + (asked - centre) @ weights
    return predicted
