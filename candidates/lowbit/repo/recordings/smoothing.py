# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The paper's method: a running mean."""

import numpy as np

WIDTH = 5


def smooth(recording):
    """The mean of each value and its neighbours; at the ends of fewer."""
    kernel = np.ones(WIDTH)
    return np.convolve(recording, kernel, "same") / np.convolve(np.ones_like(recording), kernel, "same")
