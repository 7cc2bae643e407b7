# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Epsilon-greedy Q-learning on observations."""

from dataclasses import dataclass

import numpy as np

from agents.controllers import Controller, reactive
from agents.worlds import World
from episodes import Lab


@dataclass(frozen=True)
class Settings:
    rate: float = 0.3
    epsilon: float = 0.2
    """Share of random actions, at the end; it falls from 1 in the first third of the steps."""
    optimism: float = 0.0
    """Value that every action has before it is tried."""


def train(world: World, lab: Lab, settings: Settings, rng: np.random.Generator) -> Controller:
    """Use up the world's steps and act greedily from then on."""
    values = np.full((world.observations, world.actions), settings.optimism)
    values += 1e-6 * rng.random(values.shape)
    budget = lab.left[world.name]
    while lab.left[world.name] > 1:
        seen, over = lab.begin(world.name), False
        while not over and lab.left[world.name] > 0:
            used = 1 - lab.left[world.name] / budget
            random = max(settings.epsilon, 1 - 3 * used)
            action = int(rng.integers(world.actions)) if rng.random() < random else int(values[seen].argmax())
            (after,), (paid,), over = lab.act(world.name, [action])
            target = paid + (0.0 if over else world.discount * values[after].max())
            values[seen, action] += settings.rate * (target - values[seen, action])
            seen = after
    return reactive(values.argmax(axis=1))
