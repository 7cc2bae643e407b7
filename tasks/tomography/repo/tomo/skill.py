# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How good an image is, given the true one."""

import numpy as np


def error(image: np.ndarray, truth: np.ndarray) -> float:
    """Root mean square error in units of the true image's standard deviation."""
    return float(np.sqrt(np.mean((image - truth) ** 2)) / truth.std())


def skill(image: np.ndarray, truth: np.ndarray, floor: float) -> float:
    """log(error) / log(floor), clipped to [0, 1]: 0 is no better than a constant, 1 is an error at the floor or below it."""
    return float(np.clip(np.log(max(error(image, truth), 1e-12)) / np.log(floor), 0, 1))
