# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Generalised cross-correlation with a weighting of the spectrum (Knapp and Carter 1976)."""

import numpy as np

from sound.worlds import RATE


def spectra(audio: np.ndarray, size: int) -> np.ndarray:
    """Fourier transforms along the last axis, padded to `size` samples, means taken out."""
    return np.fft.rfft(audio - audio.mean(-1, keepdims=True), size)


def weight(cross: np.ndarray, first: np.ndarray, second: np.ndarray, weighting: str) -> np.ndarray:
    """The factor on a cross-spectrum: `none`, `roth`, `scot` or `phat`."""
    tiny = 1e-12 * float(np.abs(cross).max()) + 1e-300
    if weighting == "none":
        return np.ones(cross.shape)
    if weighting == "roth":
        return 1 / (np.abs(first) ** 2 + tiny)
    if weighting == "scot":
        return 1 / (np.abs(first) * np.abs(second) + tiny)
    if weighting == "phat":
        return 1 / (np.abs(cross) + tiny)
    raise ValueError(f"weighting is {weighting!r}; known are none, roth, scot, phat")


def correlate(first: np.ndarray, second: np.ndarray, weighting: str, finer: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Lags in seconds and the correlation at them; a peak at a positive lag says that `first` hears it later."""
    size = 2 * len(first)
    a, b = spectra(first, size), spectra(second, size)
    cross = a * b.conj()
    values = np.fft.irfft(cross * weight(cross, a, b, weighting), size * finer)
    half = size * finer // 2
    return (np.arange(-half, half)) / (RATE * finer), np.roll(values, half)


def delay(first: np.ndarray, second: np.ndarray, weighting: str, longest: float) -> float:
    """The lag of the highest correlation within `longest` seconds, refined by a parabola."""
    lags, values = correlate(first, second, weighting)
    inside = np.flatnonzero(np.abs(lags) <= longest)
    at = int(inside[np.argmax(values[inside])])
    left, middle, right = values[at - 1], values[at], values[(at + 1) % len(values)]
    bend = left - 2 * middle + right
    shift = 0.5 * (left - right) / bend if bend < 0 else 0.0
    return float(lags[at] + np.clip(shift, -0.5, 0.5) * (lags[1] - lags[0]))
