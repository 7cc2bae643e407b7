# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Linear datamodels (Ilyas et al., 2022): the margin of a test row as a linear function of which rows were learnt from.

One ridge regression per test row, from masks to margins. The strength of the penalty is the one whose left-out errors are least, in
closed form. Ilyas et al. use the lasso on hundreds of thousands of trainings of one network; with a few dozen trainings the ridge is
the better choice of the two.
"""

import numpy as np

from attribution.worlds import World


def design(masks: np.ndarray, size_term: bool) -> np.ndarray:
    """One column per row; with the size term one more, in which the size of the subset stands apart from its members."""
    signs = masks.astype(float) - 0.5
    if not size_term:
        return signs
    return np.concatenate([signs, signs.sum(1, keepdims=True) / np.sqrt(masks.shape[1])], axis=1)


def left_out_errors(x: np.ndarray, y: np.ndarray, strengths: list[float]) -> np.ndarray:
    """Mean squared left-out error of every strength and target, (strengths, targets)."""
    centred, wanted = x - x.mean(0), y - y.mean(0)
    u, s, _ = np.linalg.svd(centred, full_matrices=False)
    errors = []
    for strength in strengths:
        shrink = s**2 / (s**2 + strength)
        fitted = u @ (shrink[:, None] * (u.T @ wanted))
        lever = (u**2) @ shrink + 1 / len(x)
        errors.append(np.mean(((wanted - fitted) / (1 - np.minimum(lever, 0.99))[:, None]) ** 2, axis=0))
    return np.array(errors)


def predict_datamodel(world: World, strengths: list[float], size_term: bool = True) -> np.ndarray:
    """Margins of the asked subsets, (asked, test rows)."""
    x, y = design(world.subsets, size_term), world.margins
    best = np.argmin(left_out_errors(x, y, strengths), axis=0)
    centre, mean = x.mean(0), y.mean(0)
    gram = (x - centre).T @ (x - centre)
    asked = design(world.asked, size_term) - centre
    predicted = np.empty((len(asked), y.shape[1]))
    for at in range(y.shape[1]):
        weights = np.linalg.solve(gram + strengths[best[at]] * np.eye(len(gram)), (x - centre).T @ (y[:, at] - mean[at]))
        predicted[:, at] = asked @ weights + mean[at]
    return predicted
