# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Forward pass of a small pre-norm GPT with a key-value cache.

Weights are stored in half precision and everything is computed in double precision: then the order of summation, and with
it the batch size, never decides which token is the likeliest.
"""

from dataclasses import dataclass

import numpy as np

Weights = dict[str, np.ndarray]


@dataclass(frozen=True)
class Config:
    vocabulary: int
    width: int
    layers: int
    heads: int
    positions: int


class LanguageModel:
    def __init__(self, config: Config, weights: Weights):
        self.config = config
        self.weights = weights

    def start(self, rows: int) -> "Cache":
        shape = (self.config.layers, rows, self.config.heads, self.config.positions, self.config.width // self.config.heads)
        return Cache(np.zeros(shape), np.zeros(shape), np.zeros((rows, self.config.positions), dtype=bool))

    def forward(self, ids: np.ndarray, real: np.ndarray, cache: "Cache") -> np.ndarray:
        """Log-probabilities after the last column of `ids`, shape (rows, vocabulary).

        `ids` are the columns that are new since the last call. Where `real` is false the id is padding: it gets no position and
        nothing attends to it.
        """
        w, heads = self.weights, self.config.heads
        rows, new = ids.shape
        past, now = cache.length, cache.length + new
        if now > self.config.positions:
            raise ValueError(f"{now} tokens, but the model has {self.config.positions} positions")
        cache.real[:, past:now] = real
        cache.length = now
        position = np.maximum(np.cumsum(cache.real[:, :now], axis=1)[:, past:] - 1, 0)
        x = w["tokens.weight"][ids] + w["positions.weight"][position]
        # A padded query sees nothing at all; letting it see itself keeps its softmax finite. No real token ever reads it.
        seen = np.arange(now)[None, :] <= np.arange(past, now)[:, None]
        mask = (seen[None] & cache.real[:, None, :now]) | (np.arange(now)[None, :] == np.arange(past, now)[:, None])[None]
        for layer in range(self.config.layers):
            at = f"blocks.{layer}."
            qkv = _linear(_norm(x, w, at + "norm1"), w, at + "qkv").reshape(rows, new, 3, heads, -1).transpose(2, 0, 3, 1, 4)
            query = qkv[0]
            cache.keys[layer, :, :, past:now], cache.values[layer, :, :, past:now] = qkv[1], qkv[2]
            keys, values = cache.keys[layer, :, :, :now], cache.values[layer, :, :, :now]
            scores = query @ keys.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
            scores = np.where(mask[:, None], scores, -np.inf)
            scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
            mixed = (scores / scores.sum(axis=-1, keepdims=True)) @ values
            x = x + _linear(mixed.transpose(0, 2, 1, 3).reshape(rows, new, -1), w, at + "proj")
            x = x + _linear(_gelu(_linear(_norm(x, w, at + "norm2"), w, at + "up")), w, at + "down")
        return log_softmax(_norm(x[:, -1], w, "norm") @ w["tokens.weight"].T)


@dataclass
class Cache:
    keys: np.ndarray
    values: np.ndarray
    real: np.ndarray
    length: int = 0

    def keep(self, rows: np.ndarray) -> None:
        """Forget all rows but these."""
        self.keys, self.values, self.real = self.keys[:, rows], self.values[:, rows], self.real[rows]


def log_softmax(scores: np.ndarray) -> np.ndarray:
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def _linear(x: np.ndarray, w: Weights, name: str) -> np.ndarray:
    return x @ w[name + ".weight"].T + w[name + ".bias"]


def _norm(x: np.ndarray, w: Weights, name: str) -> np.ndarray:
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5) * w[name + ".weight"] + w[name + ".bias"]


def _gelu(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x * x * x)))
