# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Merging of networks of one shape, weight by weight: averages, task arithmetic, TIES."""

from collections import Counter

import numpy as np

from merging.config import Settings
from merging.matching import match
from merging.networks import Network, resized
from merging.worlds import World


def comparable(parents: tuple[Network, ...]) -> list[Network]:
    """The largest group of parents that have the same shape and activations."""
    shapes = Counter((parent.sizes, parent.activations) for parent in parents)
    most = max(shapes, key=lambda shape: (shapes[shape], -len(shape[0])))
    return [parent for parent in parents if (parent.sizes, parent.activations) == most]


def flat(network: Network) -> np.ndarray:
    """All weights and biases in one vector."""
    return np.concatenate([part.ravel() for layer in zip(network.weights, network.biases, strict=True) for part in layer])


def unflat(vector: np.ndarray, like: Network) -> Network:
    """The network of a vector."""
    weights, biases, at = [], [], 0
    for old, bias in zip(like.weights, like.biases, strict=True):
        weights.append(vector[at : at + old.size].reshape(old.shape))
        at += old.size
        biases.append(vector[at : at + bias.size])
        at += bias.size
    return Network(tuple(weights), tuple(biases), like.activations)


def trimmed(deltas: np.ndarray, keep: float) -> np.ndarray:
    """Each delta without all but its largest share `keep` of entries."""
    bound = np.quantile(np.abs(deltas), 1 - keep, axis=1, keepdims=True)
    return np.where(np.abs(deltas) >= bound, deltas, 0)


def elected(deltas: np.ndarray) -> np.ndarray:
    """TIES: per entry the mean of those deltas that have the sign of the larger total."""
    sign = np.sign(deltas.sum(0))
    agrees = (np.sign(deltas) == sign) & (deltas != 0)
    return np.where(agrees, deltas, 0).sum(0) / np.maximum(agrees.sum(0), 1)


def merge(world: World, settings: Settings) -> Network:
    """One network of the wanted size for a family."""
    parents = comparable(world.parents)
    if settings.match:
        parents = [parents[0], *(match(parent, parents[0]) for parent in parents[1:])]
    vectors = np.stack([flat(parent) for parent in parents])
    ancestor = np.median(vectors, 0) if settings.ancestor == "median" else vectors.mean(0)
    deltas = trimmed(vectors - ancestor, settings.keep)
    change = elected(deltas) if settings.ties else deltas.sum(0)
    merged = unflat(ancestor + settings.coefficient * change, parents[0])
    chosen = (0, 1, len(merged.weights) - 1)
    names = (world.activation, world.activation, "linear")
    return resized(
        Network(tuple(merged.weights[at] for at in chosen), tuple(merged.biases[at] for at in chosen), names), world.sizes
    )
