# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Time derivatives of sampled signals."""

import numpy as np
from scipy.interpolate import UnivariateSpline


def finite_difference(t: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Second-order differences on an irregular grid, (samples, variables)."""
    return np.gradient(x, t, axis=0)


def spline_smooth(t: np.ndarray, x: np.ndarray, noise: float | None = None) -> tuple[np.ndarray, np.ndarray]:
    """A smoothing spline through each variable and its derivative, at the samples.

    `noise` is the standard deviation of the noise in units of a variable; where it is not given it is estimated from second differences.
    """
    smooth, slope = np.empty_like(x), np.empty_like(x)
    for index in range(x.shape[1]):
        sigma = noise if noise is not None else float(np.std(np.diff(x[:, index], 2)) / np.sqrt(6))
        spline = UnivariateSpline(t, x[:, index], k=4, s=len(t) * sigma**2 + 1e-12)
        smooth[:, index], slope[:, index] = spline(t), spline.derivative()(t)
    return smooth, slope


METHODS = {
    "finite_difference": lambda t, x: (x, finite_difference(t, x)),
    "spline": spline_smooth,
}
"""By name in a configuration; each gives states and slopes at the samples."""
