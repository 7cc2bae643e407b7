# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Weight matching of Git Re-Basin: reorder the hidden units of one network so that it lies close to another."""

import numpy as np
from scipy.optimize import linear_sum_assignment

from merging.networks import Network


def match(network: Network, target: Network, rounds: int = 20) -> Network:
    """The network with its hidden units in the order that gives the largest inner product of its weights with the target's."""
    weights, biases = list(network.weights), list(network.biases)
    for _ in range(rounds):
        moved = False
        for at in range(len(weights) - 1):
            gain = target.weights[at] @ weights[at].T + np.outer(target.biases[at], biases[at])
            gain = gain + target.weights[at + 1].T @ weights[at + 1]
            order = linear_sum_assignment(-gain)[1]
            moved = moved or bool((order != np.arange(len(order))).any())
            weights[at], biases[at], weights[at + 1] = weights[at][order], biases[at][order], weights[at + 1][:, order]
        if not moved:
            break
    return Network(tuple(weights), tuple(biases), network.activations)
