# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How well returned features carry the true ones."""

import numpy as np
from scipy.optimize import linear_sum_assignment

Array = np.ndarray


def unexplained(codes: Array, groups: Array, true: Array, owners: Array) -> Array:
    """(true features, returned features): share of a true feature's variance that a linear map of a returned one leaves unexplained."""
    true = true - true.mean(0)
    kinds, features = np.unique(groups), np.unique(owners)
    energy = np.array([(true[:, owners == feature] ** 2).sum() for feature in features])
    left = np.ones((len(features), len(kinds)))
    for at, kind in enumerate(kinds):
        part = codes[:, groups == kind] - codes[:, groups == kind].mean(0)
        size = np.linalg.norm(part, axis=0)
        part = part[:, size > 1e-9] / size[size > 1e-9]
        if not part.shape[1]:
            continue
        basis, values, _ = np.linalg.svd(part, full_matrices=False)
        explained = ((basis[:, values > 1e-6].T @ true) ** 2).sum(0)
        left[:, at] -= np.array([explained[owners == feature].sum() for feature in features]) / energy
    return left


def scores(codes: Array, groups: Array, true: Array, owners: Array, floor: Array) -> Array:
    """Score of each true feature under the assignment, one to one, that is best altogether."""
    value = np.clip(np.log(np.maximum(unexplained(codes, groups, true, owners), 1e-9)) / np.log(floor)[:, None], 0, 1)
    rows, columns = linear_sum_assignment(-value)
    found = np.zeros(len(floor))
    found[rows] = value[rows, columns]
    return found
