# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The plain pipeline: what every pipeline here would be if nothing about it were special.

From the rows of a subset, in order:

1. missing numbers become the mean of their column over the subset (in test rows too);
2. the category becomes four columns of zeros and ones, so that there are eleven columns: numbers, flags, levels;
3. every column is centred and divided by its standard deviation over the subset (a constant column becomes 0);
4. linear ridge regression of the labels: sum of squares + ridge * squared length of the weights, intercept free;
5. the score is what that predicts; the margin is label times score.
"""

import numpy as np

from attribution.worlds import World

LEVELS = 4


def columns(world: World, subset: np.ndarray) -> np.ndarray:
    """Standardised columns of all rows, (rows, 11), as the pipeline sees them after a training on a subset."""
    rows = np.flatnonzero(subset)
    numbers = world.numbers.copy()
    for j in range(numbers.shape[1]):
        seen = numbers[rows, j][~np.isnan(numbers[rows, j])]
        numbers[np.isnan(numbers[:, j]), j] = seen.mean() if len(seen) else 0.0
    levels = (world.level[:, None] == np.arange(LEVELS)).astype(float)
    table = np.concatenate([numbers, world.flags, levels], axis=1)
    centred = table - table[rows].mean(0)
    spread = table[rows].std(0)
    return centred * (spread > 1e-6) / np.where(spread > 1e-6, spread, 1.0)


def ridge_regression(x: np.ndarray, y: np.ndarray, ridge: float) -> tuple[np.ndarray, float]:
    """(weights, intercept)"""
    centre, mean = x.mean(0), y.mean()
    xc = x - centre
    weights = np.linalg.solve(xc.T @ xc + ridge * np.eye(x.shape[1]), xc.T @ (y - mean))
    return weights, float(mean - centre @ weights)


def train(world: World, subset: np.ndarray, ridge: float = 3.0) -> np.ndarray:
    """Margins of the test rows after the plain pipeline learnt from a subset."""
    table = columns(world, subset)
    rows = np.flatnonzero(subset)
    weights, intercept = ridge_regression(table[rows], world.label[rows], ridge)
    test = slice(world.train, None)
    return world.label[test] * (table[test] @ weights + intercept)
