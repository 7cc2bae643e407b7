# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Simultaneous iterative reconstruction (Gilbert 1972) with scaling by row and column sums, kept non-negative."""

import numpy as np

from tomo.projector import SIDE, parallel


def sirt(sinogram: np.ndarray, angles: np.ndarray, iterations: int, relaxation: float = 1.0) -> np.ndarray:
    """Image after a number of iterations from zero, (24, 24)."""
    matrix = parallel(angles, sinogram.shape[1])
    rows = np.asarray(matrix.sum(1)).ravel()
    columns = np.asarray(matrix.sum(0)).ravel()
    by_row, by_column = 1 / np.maximum(rows, 1e-6) * (rows > 0), 1 / np.maximum(columns, 1e-6) * (columns > 0)
    image, seen = np.zeros(SIDE * SIDE), sinogram.ravel()
    for _ in range(iterations):
        image = np.maximum(image + relaxation * by_column * (matrix.T @ (by_row * (seen - matrix @ image))), 0)
    return image.reshape(SIDE, SIDE)
