# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How good predicted margins are, given the true ones."""

import numpy as np

KINDS = 4


def errors(margins: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Error by kind of subset, relative to how true margins vary about their mean by kind and test row. 1 is no better than that mean."""
    each = truth.reshape(KINDS, -1, truth.shape[1])
    spread = np.sqrt(np.mean((each - each.mean(1, keepdims=True)) ** 2, axis=(1, 2)))
    return np.sqrt(np.mean((margins - truth).reshape(each.shape) ** 2, axis=(1, 2))) / spread


def skill(margins: np.ndarray, truth: np.ndarray, floor: float) -> float:
    """Mean over kinds of log(error) / log(floor), clipped to [0, 1]."""
    return float(np.mean(np.clip(np.log(np.maximum(errors(margins, truth), 1e-12)) / np.log(floor), 0, 1)))
