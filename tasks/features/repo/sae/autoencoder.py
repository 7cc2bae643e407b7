# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""A sparse autoencoder with one hidden layer: x is rebuilt as b + relu((x - b) E + e) D, with unit rows of D and few codes at work."""

from dataclasses import dataclass

import numpy as np

from sae.config import Settings

Array = np.ndarray


@dataclass
class Autoencoder:
    """Weights of a trained autoencoder."""

    encoder: Array
    bias: Array
    dictionary: Array
    centre: Array
    scale: float
    active: int = 0

    def encode(self, x: Array) -> Array:
        """(tokens, latents): non-negative codes, in units of the readings."""
        return _activity((x / self.scale - self.centre) @ self.encoder + self.bias, self.active) * self.scale

    def decode(self, codes: Array) -> Array:
        return codes @ self.dictionary + self.centre * self.scale


def _activity(raw: Array, active: int) -> Array:
    codes = np.maximum(raw, 0)
    if active:
        least = np.partition(codes, -active, axis=1)[:, -active][:, None]
        codes = np.where(codes >= least, codes, 0)
    return codes


class Adam:
    """Adam with the usual constants."""

    def __init__(self, parts: list[Array]) -> None:
        self.parts = parts
        self.first = [np.zeros_like(part) for part in parts]
        self.second = [np.zeros_like(part) for part in parts]
        self.steps = 0

    def step(self, slopes: list[Array], rate: float) -> None:
        self.steps += 1
        a, b = 1 - 0.9**self.steps, 1 - 0.999**self.steps
        for part, slope, first, second in zip(self.parts, slopes, self.first, self.second, strict=True):
            first += 0.1 * (slope - first)
            second += 0.001 * (slope**2 - second)
            part -= rate * (first / a) / (np.sqrt(second / b) + 1e-8)


def train(x: Array, settings: Settings) -> Autoencoder:
    """Minimise half the squared error plus the penalty on codes."""
    rng = np.random.default_rng(settings.seed)
    scale = float(x.std())
    x = x / scale
    channels = x.shape[1]
    dictionary = rng.normal(size=(settings.latents, channels))
    dictionary /= np.linalg.norm(dictionary, axis=1, keepdims=True)
    encoder, bias, centre = dictionary.T.copy(), np.zeros(settings.latents), x.mean(0)
    adam = Adam([encoder, bias, dictionary, centre])
    penalty = 0.0 if settings.active else settings.penalty * np.sqrt(channels)
    for step in range(settings.steps):
        batch = x[rng.integers(len(x), size=settings.batch)]
        raw = (batch - centre) @ encoder + bias
        codes = _activity(raw, settings.active)
        error = codes @ dictionary + centre - batch
        back = (error @ dictionary.T + penalty) * (codes > 0)
        slopes = [
            (batch - centre).T @ back / len(batch),
            back.mean(0),
            codes.T @ error / len(batch),
            (error - back @ encoder.T).mean(0),
        ]
        adam.step(slopes, settings.rate * (1 - step / settings.steps))
        dictionary /= np.linalg.norm(dictionary, axis=1, keepdims=True)
    return Autoencoder(encoder, bias, dictionary, centre, scale, settings.active)
