# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Which candidates go on to the next step."""

import random


def greedy(values: list[float], n: int) -> list[int]:
    """Places of the n highest values, best first; of equal values the earlier place comes first."""
    return sorted(range(len(values)), key=lambda place: values[place], reverse=True)[:n]


def uniform(values: list[float], n: int, rng: random.Random) -> list[int]:
    """n places at random, values unseen: the baseline without an evaluator."""
    return rng.sample(range(len(values)), min(n, len(values)))
