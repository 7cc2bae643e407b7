# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Exploration in small Markov decision processes whose state is seen: counts, bonuses, posterior draws, value iteration."""

import numpy as np


def solve(chance: np.ndarray, reward: np.ndarray, discount: float, sweeps: int = 300) -> np.ndarray:
    """Action values of the best policy; `chance` is (states, actions, states), `reward` (states, actions)."""
    quality = np.zeros(reward.shape)
    for _ in range(sweeps):
        quality = reward + discount * chance @ quality.max(axis=1)
    return quality


class Counts:
    """Transitions and rewards that were met."""

    def __init__(self, states: int, actions: int) -> None:
        self.moves = np.zeros((states, actions, states))
        self.paid = np.zeros((states, actions))

    def add(self, state: int, action: int, paid: float, after: int) -> None:
        self.moves[state, action, after] += 1
        self.paid[state, action] += paid

    def with_bonus(self, scale: float) -> tuple[np.ndarray, np.ndarray]:
        """The likeliest model, with a bonus of `scale` over the root of the visits."""
        visits = self.moves.sum(axis=2)
        chance = (self.moves + 1e-3) / (visits + 1e-3 * self.moves.shape[2])[..., None]
        return chance, self.paid / np.maximum(visits, 1) + scale / np.sqrt(np.maximum(visits, 0.25))

    def draw(self, rng: np.random.Generator, prior: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
        """A model from the posterior: Dirichlet moves, normal rewards."""
        chance = rng.standard_gamma(self.moves + prior)
        chance /= chance.sum(axis=2, keepdims=True)
        visits = self.moves.sum(axis=2)
        return chance, rng.normal(self.paid / (visits + 1), 1 / np.sqrt(visits + 1))
