# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The score of predicted effects, as the evaluation computes it."""

import numpy as np

FLOOR, CUT = 0.03, 10.0


def skill_by_query(predicted: np.ndarray, effects: np.ndarray, spread: np.ndarray, query_set: np.ndarray) -> np.ndarray:
    """log(error / size) / log(FLOOR), clipped to [0, 1], for each query of a world; variables that are held do not count."""
    counts = np.isnan(query_set)
    true = effects / spread
    size = np.sqrt((true[counts] ** 2).mean())
    squares = np.where(counts, np.minimum(np.abs(predicted / spread - true), CUT) ** 2, 0.0)
    errors = np.sqrt(squares.sum(1) / counts.sum(1))
    return np.clip(np.log(np.maximum(errors / size, 1e-12)) / np.log(FLOOR), 0, 1)
