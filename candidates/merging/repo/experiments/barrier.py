# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Error along the straight line between two networks with the same function, before and after their units are matched."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from merging.matching import match
from merging.networks import Network

SIZES = (8, 12, 12, 3)


def random_network(rng: np.random.Generator, activation: str) -> Network:
    """Weights that keep the signal's size."""
    weights = tuple(rng.normal(0, 1.3 / np.sqrt(SIZES[at]), (SIZES[at + 1], SIZES[at])) for at in range(3))
    return Network(weights, tuple(rng.normal(0, 0.5, size) for size in SIZES[1:]), (activation, activation, "linear"))


def shuffled(network: Network, rng: np.random.Generator) -> Network:
    """The same function with hidden units in another order."""
    weights, biases = list(network.weights), list(network.biases)
    for at in (0, 1):
        order = rng.permutation(len(biases[at]))
        weights[at], biases[at], weights[at + 1] = weights[at][order], biases[at][order], weights[at + 1][:, order]
    return Network(tuple(weights), tuple(biases), network.activations)


def between(one: Network, two: Network, share: float) -> Network:
    """A point of the line between two networks."""
    weights = tuple((1 - share) * a + share * b for a, b in zip(one.weights, two.weights, strict=True))
    biases = tuple((1 - share) * a + share * b for a, b in zip(one.biases, two.biases, strict=True))
    return Network(weights, biases, one.activations)


def main() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1000, SIZES[0]))
    for activation in ("tanh", "leaky"):
        network = random_network(rng, activation)
        other = shuffled(network, rng)
        wanted = network(x)
        for name, end in (("as it is", other), ("matched", match(other, network))):
            line = [
                np.sqrt(((between(network, end, share)(x) - wanted) ** 2).mean()) / wanted.std() for share in np.linspace(0, 1, 6)
            ]
            print(f"{activation:6s} {name:9s} " + " ".join(f"{error:.3f}" for error in line))


if __name__ == "__main__":
    main()
