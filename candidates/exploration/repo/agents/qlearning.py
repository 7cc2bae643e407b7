# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Epsilon-greedy Q-learning on observations, for all tasks at once: each step teaches the values of every task."""

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
    """Use up the world's steps, following one task per episode in turn, and act greedily from then on."""
    values = np.full((world.tasks, world.observations, world.actions), settings.optimism)
    values += 1e-6 * rng.random(values.shape)
    budget, episode, tasks = lab.left[world.name], 0, np.arange(world.tasks)
    while lab.left[world.name] > 1:
        seen, over, task = lab.begin(world.name), False, episode % world.tasks
        episode += 1
        while not over and lab.left[world.name] > 0:
            used = 1 - lab.left[world.name] / budget
            random = max(settings.epsilon, 1 - 3 * used)
            action = int(rng.integers(world.actions)) if rng.random() < random else int(values[task, seen].argmax())
            (after,), (paid,), over = lab.act(world.name, [action])
            target = np.where(tasks == paid, 1.0, 0.0 if over else world.discount * values[:, after].max(axis=1))
            values[:, seen, action] += settings.rate * (target - values[:, seen, action])
            seen = after
    return reactive(values.argmax(axis=2))
