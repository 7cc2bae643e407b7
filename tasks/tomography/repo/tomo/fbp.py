# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Filtered back-projection (Ramachandran and Lakshminarayanan 1971; windows after Shepp and Logan 1974)."""

import numpy as np

from tomo.projector import SIDE, shadows

WINDOWS = ("ramp", "shepp", "hann")


def ramp_kernel(size: int) -> np.ndarray:
    """The band-limited ramp sampled in space: 1/4 at 0, -1/(pi n)^2 at odd n, 0 at even n."""
    n = np.arange(-size, size + 1)
    kernel = np.zeros(len(n))
    kernel[n == 0] = 0.25
    odd = n % 2 == 1
    kernel[odd] = -1 / (np.pi * n[odd]) ** 2
    return kernel


def filter_views(sinogram: np.ndarray, window: str, cutoff: float) -> np.ndarray:
    """Each view convolved with the windowed ramp; frequencies above `cutoff` (share of the highest) are taken away."""
    if window not in WINDOWS:
        raise ValueError(f"unknown filter {window!r}; known are {', '.join(WINDOWS)}")
    bins = sinogram.shape[1]
    length = 4 * bins
    kernel = np.zeros(length)
    half = ramp_kernel(bins)
    kernel[: bins + 1], kernel[-bins:] = half[bins:], half[:bins]
    response = np.fft.rfft(kernel).real
    frequency = np.fft.rfftfreq(length) / (0.5 * cutoff)
    if window == "shepp":
        response = response * np.sinc(frequency / 2)
    elif window == "hann":
        response = response * 0.5 * (1 + np.cos(np.pi * np.minimum(frequency, 1)))
    response = response * (frequency <= 1)
    return np.fft.irfft(np.fft.rfft(sinogram, length, axis=1) * response, length, axis=1)[:, :bins]


def filtered_back_projection(sinogram: np.ndarray, angles: np.ndarray, window: str = "ramp", cutoff: float = 1.0) -> np.ndarray:
    """Image of an ideal parallel-beam scan over half a turn, (24, 24)."""
    bins = sinogram.shape[1]
    filtered = filter_views(sinogram, window, cutoff)
    places = shadows(angles) + (bins - 1) / 2
    image = np.zeros(SIDE * SIDE)
    for view, place in zip(filtered, places, strict=True):
        image += np.interp(place, np.arange(bins), view, left=0, right=0)
    return (image * np.pi / len(angles)).reshape(SIDE, SIDE)
