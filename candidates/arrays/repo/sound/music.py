# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""MUSIC over several frequencies (Schmidt 1986): points whose wave fronts are orthogonal to the noise subspace."""

import numpy as np

from sound.geometry import travel
from sound.worlds import RATE


def covariances(audio: np.ndarray, block: int = 64, hop: int = 16) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies and (frequencies, recorders, recorders) mean outer products of short-time spectra. Blocks are cut at the same
    clock time in all channels, so that only delays much shorter than a block are kept."""
    starts = range(0, audio.shape[-1] - block + 1, hop)
    window = np.hanning(block)
    parts = np.stack([np.fft.rfft(audio[:, start : start + block] * window) for start in starts])
    return np.fft.rfftfreq(block, 1 / RATE), np.einsum("tmf,tnf->fmn", parts, parts.conj()) / len(parts)


def spectrum(
    audio: np.ndarray, microphones: np.ndarray, points: np.ndarray, count: int, low: float = 50.0, high: float = 420.0
) -> np.ndarray:
    """The pseudo-spectrum of each point: inverse energy in the noise subspace, frequencies weighed by their power."""
    frequencies, matrices = covariances(audio)
    times = travel(points, microphones)
    inside = (frequencies >= low) & (frequencies <= high)
    total = np.zeros(len(points))
    for frequency, matrix in zip(frequencies[inside], matrices[inside], strict=True):
        _, vectors = np.linalg.eigh(matrix)
        steering = np.exp(-2j * np.pi * frequency * times) / np.sqrt(len(microphones))
        noise = vectors[:, : len(microphones) - count]
        outside = (np.abs(steering.conj() @ noise) ** 2).sum(1)
        total += float(np.trace(matrix).real) / (outside + 1e-3)
    return total
