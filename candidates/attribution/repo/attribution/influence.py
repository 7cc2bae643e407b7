# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Influence functions (Koh and Liang, 2017) for the plain pipeline, which are TRAK (Park et al., 2023) without a projection here.

The plain pipeline's last stage is linear, so that its gradients are the columns themselves. The influence of a training row on the score
of a test row is x_test' (X'X + ridge)^-1 x_row times the row's residual; dividing by one minus the row's leverage makes it exact for
leaving out one row when the columns stay as they are. The margin after learning from a subset is foretold as the margin of all rows less
the influences of those that are missing.
"""

import numpy as np

from attribution.plain import columns, ridge_regression
from attribution.worlds import World


def influences(world: World, ridge: float) -> tuple[np.ndarray, np.ndarray]:
    """(margins after learning from all rows, influence of every training row on every test row's margin)."""
    everything = np.ones(world.train, bool)
    table = columns(world, everything)
    x, test = table[: world.train], table[world.train :]
    y, sides = world.label[: world.train], world.label[world.train :]
    weights, intercept = ridge_regression(x, y, ridge)
    inverse = np.linalg.inv(x.T @ x + ridge * np.eye(x.shape[1]))
    lever = np.einsum("ij,jk,ik->i", x, inverse, x) + 1 / world.train
    left = (y - x @ weights - intercept) / (1 - lever)
    effect = (x @ inverse @ test.T + 1 / world.train) * left[:, None]
    return sides * (test @ weights + intercept), effect * sides


def predict_influence(world: World, ridge: float = 3.0, calibrate: bool = True) -> np.ndarray:
    """Margins of the asked subsets, (asked, test rows); calibrated by a line per test row where wanted."""
    whole, effect = influences(world, ridge)

    def foretold(masks: np.ndarray) -> np.ndarray:
        return whole - (~masks.astype(bool)).astype(float) @ effect

    asked = foretold(world.asked)
    if not calibrate:
        return asked
    recorded = foretold(world.subsets)
    out = np.empty_like(asked)
    for at in range(asked.shape[1]):
        x, y = recorded[:, at] - recorded[:, at].mean(), world.margins[:, at]
        slope = (x @ (y - y.mean())) / (x @ x + 1e-9)
        out[:, at] = y.mean() + slope * (asked[:, at] - recorded[:, at].mean())
    return out
