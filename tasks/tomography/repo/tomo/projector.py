# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Line integrals of an image as a sparse matrix.

Pixel (row i, column j) lies at x = j - 11.5, y = i - 11.5 from the axis of rotation. In the view at angle t its shadow falls on the
place x cos t + y sin t of the detector, whose middle is place 0 and whose bins are one pixel wide; its attenuation is shared
linearly between the two nearest bins. An ideal scanner measures exactly these integrals.
"""

import numpy as np
from scipy import sparse

SIDE = 24
"""Pixels along each side of an image."""


def pixel_places() -> tuple[np.ndarray, np.ndarray]:
    """(x, y) of all pixels, row by row."""
    axis = np.arange(SIDE) - (SIDE - 1) / 2
    x, y = np.meshgrid(axis, axis)
    return x.ravel(), y.ravel()


def shadows(angles: np.ndarray) -> np.ndarray:
    """Where on the detector each pixel's shadow falls, (views, pixels)."""
    x, y = pixel_places()
    turn = np.deg2rad(angles)[:, None]
    return x * np.cos(turn) + y * np.sin(turn)


def matrix(places: np.ndarray, bins: int) -> sparse.csr_matrix:
    """Sparse matrix from pixels to line integrals for given places of shadows; row = view * bins + bin."""
    at = places + (bins - 1) / 2
    left = np.floor(at).astype(int)
    share = at - left
    rows, columns, values = [], [], []
    for offset, weight in ((0, 1 - share), (1, share)):
        bin_ = left + offset
        view, pixel = np.nonzero((bin_ >= 0) & (bin_ < bins))
        rows.append(view * bins + bin_[view, pixel])
        columns.append(pixel)
        values.append(weight[view, pixel])
    shape = (len(places) * bins, SIDE * SIDE)
    return sparse.csr_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=shape)


def parallel(angles: np.ndarray, bins: int) -> sparse.csr_matrix:
    """The matrix of an ideal scanner."""
    return matrix(shadows(angles), bins)
