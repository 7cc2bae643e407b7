# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Forecasts: following an identified equation from a starting point."""

from collections.abc import Callable

import numpy as np

Field = Callable[[float, np.ndarray], np.ndarray]


def runge_kutta(field: Field, start: np.ndarray, times: np.ndarray, step: float, bound: float) -> np.ndarray:
    """States (runs, times, variables) of all runs at once, by the classical method of fourth order with a fixed step.

    An identified equation may blow up: states are kept within `bound` so that a forecast stays finite. States between steps are interpolated.
    """
    count = int(np.ceil(times[-1] / step - 1e-9))
    path = np.empty((count + 1, *start.shape))
    path[0] = state = np.array(start, dtype=float)
    with np.errstate(all="ignore"):
        for k in range(count):
            t = k * step
            first = field(t, state)
            second = field(t + step / 2, state + step / 2 * first)
            third = field(t + step / 2, state + step / 2 * second)
            fourth = field(t + step, state + step * third)
            state = state + step / 6 * (first + 2 * second + 2 * third + fourth)
            path[k + 1] = state = np.clip(np.nan_to_num(state, nan=bound), -bound, bound)
    return interpolate(path, times / step)


def interpolate(path: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Values of a path (steps, runs, variables) at fractional steps, as (runs, times, variables)."""
    before = np.clip(np.floor(at + 1e-9).astype(int), 0, len(path) - 2)
    share = (at - before)[:, None, None]
    return ((1 - share) * path[before] + share * path[before + 1]).swapaxes(0, 1)
