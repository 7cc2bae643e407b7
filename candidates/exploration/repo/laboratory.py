# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The environments: actions in, observations and rewards out.

A question goes on with the episode of one world, or begins a new one:

    {"world": "w03", "new": true, "actions": [0, 2, 2]}

The answer holds one observation and one reward per action that was carried out, and whether the episode is over; after `new`, the first observation comes in front. Actions
that are left when the episode ends are not carried out. Each action asked for counts as one step of the world's `steps`, and a question counts as one at least.
"""

import json
from pathlib import Path

import numpy as np

BLANK = 0
"""The observation that is made when nothing can be seen."""


class Environment:
    """One world: states that nobody sees, and what they show."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as stored:
            self.parts = {name: stored[name] for name in stored.files}
        self.heap = np.cumsum(self.parts["chance"].astype(float), axis=-1)

    def begin(self, rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
        """States and observations of new episodes."""
        states = rng.choice(self.parts["starts"], count)
        return states, self.parts["shows"][states].astype(int)

    def step(self, states: np.ndarray, actions: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Next states, observations, rewards, and which episodes are over."""
        luck = rng.random((3, len(states)))
        heap = self.heap[states, actions]
        outcome = (luck[0][:, None] * heap[:, -1:] > heap).sum(axis=1)
        states = self.parts["next"][states, actions, outcome].astype(int)
        ends = self.parts["ends"][states]
        amount, often = self.parts["pays"][states].T
        seen = np.where((luck[1] < self.parts["blank"]) & ~ends, BLANK, self.parts["shows"][states])
        return states, seen, np.where(luck[2] < often, amount, 0.0), ends


class Laboratory:
    """Answers with episodes of the worlds of `data`."""

    def __init__(self, data: Path, truth: Path, budget: int) -> None:
        self.worlds = {world["id"]: world for world in json.loads((data / "worlds.json").read_text())["worlds"]}
        self.environments = {name: Environment(truth / f"{name}.npz") for name in self.worlds}
        self.rngs = {name: np.random.default_rng(int(part.parts["seed"][0])) for name, part in self.environments.items()}
        share = budget / sum(world["steps"] for world in self.worlds.values())
        self.left = {name: int(world["steps"] * share) for name, world in self.worlds.items()}
        self.running: dict[str, tuple[np.ndarray, int]] = {}

    def cost(self, question: dict) -> int:
        """One per action, and one at least."""
        actions = question.get("actions")
        return max(1, len(actions)) if isinstance(actions, list) else 1

    def answer(self, question: dict) -> dict:
        name, actions = question.get("world"), question.get("actions", [])
        if not isinstance(name, str) or name not in self.worlds:
            raise ValueError("There is no world of this name.")
        world, environment, rng = self.worlds[name], self.environments[name], self.rngs[name]
        if not isinstance(actions, list) or any(type(action) is not int or not 0 <= action < world["actions"] for action in actions):
            raise ValueError("Actions must be a list of whole numbers below the number of actions.")
        cost = max(1, len(actions))
        if cost > self.left[name]:
            raise ValueError(f"This world has {self.left[name]} steps left.")
        self.left[name] -= cost
        observations, rewards = [], []
        if question.get("new") is True:
            states, seen = environment.begin(rng, 1)
            observations.append(int(seen[0]))
            time, over = 0, False
        elif name in self.running:
            states, time = self.running[name]
            over = False
        else:
            raise ValueError("No episode of this world is going on.")
        for action in actions:
            states, seen, paid, ends = environment.step(states, np.array([action]), rng)
            time += 1
            over = bool(ends[0]) or time >= world["horizon"]
            observations.append(int(seen[0]))
            rewards.append(float(paid[0]))
            if over:
                break
        self.running.pop(name, None)
        if not over:
            self.running[name] = (states, time)
        return {"observations": observations, "rewards": rewards, "over": over}
