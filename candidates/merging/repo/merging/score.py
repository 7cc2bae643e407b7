# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How good a merged network is, given what is wanted."""

import numpy as np

CUT = 3.0
"""A single error counts at most this many standard deviations."""


def relative_error(outputs: np.ndarray, wanted: np.ndarray) -> float:
    """Root mean square error in units of each output's standard deviation."""
    error = np.minimum(np.abs(outputs - wanted) / wanted.std(0), CUT)
    return float(np.sqrt((error**2).mean()))


def skill(outputs: np.ndarray, wanted: np.ndarray, floor: float) -> float:
    """log(error) / log(floor), clipped to [0, 1]: 0 is no better than the mean output, 1 is an error at the floor or below it."""
    return float(np.clip(np.log(max(relative_error(outputs, wanted), 1e-12)) / np.log(floor), 0, 1))
