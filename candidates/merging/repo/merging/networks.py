# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Multilayer perceptrons as plain arrays."""

from dataclasses import dataclass

import numpy as np

SLOPE = 0.1
"""Slope of a leaky unit below zero."""


def activate(name: str, z: np.ndarray) -> np.ndarray:
    """An activation by name."""
    if name == "tanh":
        return np.tanh(z)
    if name == "leaky":
        return np.maximum(z, SLOPE * z)
    if name == "relu":
        return np.maximum(z, 0)
    if name == "sigmoid":
        return 1 / (1 + np.exp(-z))
    if name == "linear":
        return z
    raise ValueError(f"activation {name!r} is not known; known are tanh, leaky, relu, sigmoid and linear")


@dataclass(frozen=True)
class Network:
    """Layers one after the other; each is act(weights @ x + biases)."""

    weights: tuple[np.ndarray, ...]
    """One (out, in) array per layer."""
    biases: tuple[np.ndarray, ...]
    """One (out,) array per layer."""
    activations: tuple[str, ...]
    """One name per layer; the last is `linear`."""

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """(samples, inputs) to (samples, outputs)."""
        for weights, biases, name in zip(self.weights, self.biases, self.activations, strict=True):
            x = activate(name, x @ weights.T + biases)
        return x

    @property
    def sizes(self) -> tuple[int, ...]:
        """Inputs, then units of each layer."""
        return (self.weights[0].shape[1], *(len(biases) for biases in self.biases))


def resized(network: Network, sizes: tuple[int, ...]) -> Network:
    """The same layers cut, or filled with zeros, to the given sizes."""
    weights, biases = [], []
    for at, (old, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
        rows, columns = min(sizes[at + 1], old.shape[0]), min(sizes[at], old.shape[1])
        new, shift = np.zeros((sizes[at + 1], sizes[at])), np.zeros(sizes[at + 1])
        new[:rows, :columns], shift[:rows] = old[:rows, :columns], bias[:rows]
        weights.append(new)
        biases.append(shift)
    return Network(tuple(weights), tuple(biases), network.activations)
