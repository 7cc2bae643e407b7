# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How good forecasts are, given how the runs really went on."""

import numpy as np

CUT = 3.0
"""A single error counts at most this many standard deviations."""


def run_errors(forecast: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Root mean square error of each new run in units of each variable's standard deviation over all new runs, (runs,)."""
    spread = truth.std((0, 1))
    error = np.minimum(np.abs(forecast - truth) / spread, CUT)
    return np.sqrt((error**2).mean((1, 2)))


def skill(forecast: np.ndarray, truth: np.ndarray, floor: float) -> float:
    """Mean over the new runs of log(error) / log(floor), each clipped to [0, 1].

    0 is no better than the mean of the new runs, 1 is an error at the floor or below it.
    """
    errors = np.maximum(run_errors(forecast, truth), 1e-12)
    return float(np.clip(np.log(errors) / np.log(floor), 0, 1).mean())
