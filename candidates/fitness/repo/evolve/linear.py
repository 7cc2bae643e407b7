# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Ridge regression on one-hot sequences, the workhorse of machine-learning-guided directed evolution."""

from dataclasses import dataclass

import numpy as np


def one_hot(variants: np.ndarray, letters: int = 20) -> np.ndarray:
    """(n, length * letters)."""
    n, length = variants.shape
    features = np.zeros((n, length * letters))
    np.put_along_axis(features, np.arange(length) * letters + variants, 1.0, axis=1)
    return features


@dataclass(frozen=True)
class LinearModel:
    effects: np.ndarray
    """(length, 20): contribution of each letter at each site."""
    intercept: float

    def predict(self, variants: np.ndarray) -> np.ndarray:
        return self.intercept + self.effects[np.arange(variants.shape[1]), variants].sum(axis=1)


def fit_ridge(variants: np.ndarray, values: np.ndarray, penalty: float) -> LinearModel:
    """The ridge solution with an unpenalised intercept, by the dual since there are fewer variants than features."""
    features = one_hot(variants)
    mean, centre = values.mean(), features.mean(axis=0)
    centred = features - centre
    gram = centred @ centred.T + penalty * np.eye(len(variants))
    effects = centred.T @ np.linalg.solve(gram, values - mean)
    return LinearModel(effects.reshape(variants.shape[1], -1), float(mean - centre @ effects))
