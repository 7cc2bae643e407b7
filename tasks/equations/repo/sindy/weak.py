# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Weak form: slopes are never taken, the equation is multiplied by bumps and integrated by parts."""

import numpy as np

from sindy.library import Library


def bump(s: np.ndarray, power: int) -> tuple[np.ndarray, np.ndarray]:
    """(1 - s^2)^power on [-1, 1] and its derivative with respect to s."""
    inside = np.clip(1 - s**2, 0, None)
    return inside**power, -2 * power * s * inside ** (power - 1)


def trapezoid_weights(t: np.ndarray) -> np.ndarray:
    """Quadrature weights of the trapezoid rule on an irregular grid."""
    gaps = np.diff(t)
    weights = np.zeros_like(t)
    weights[:-1] += gaps / 2
    weights[1:] += gaps / 2
    return weights


def weak_system(
    t: np.ndarray, x: np.ndarray, library: Library, width: float = 1.5, count: int = 40, power: int = 4
) -> tuple[np.ndarray, np.ndarray]:
    """Columns and target of the weak regression for one run: (bumps, functions) and (bumps, variables)."""
    centres = np.linspace(t[0] + width, t[-1] - width, count)
    scaled = (t[None] - centres[:, None]) / width
    value, slope = bump(scaled, power)
    quadrature = trapezoid_weights(t)
    columns = (value * quadrature) @ library(x)
    target = -(slope / width * quadrature) @ x
    return columns, target
