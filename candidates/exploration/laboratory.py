# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The environments: actions in, observations and rewards out.

A question begins a new episode of one world, or goes on with it:

    {"world": "w03", "new": true, "actions": [0, 2, 2]}

The answer holds one observation per action that was carried out, and in `paid` the number of the task that it was rewarded for, or -1, and whether the episode is over;
after `new`, the first observation comes in front. An episode goes on after a reward. Actions that are left when it ends are not carried out. Each action asked for counts as
one step of the world's `steps`, a new episode counts as one more, and a question as one at least.
"""

import json
import random
from pathlib import Path

import numpy as np

NOTHING, SHUT = 0, 1
"""Observations that are no place: nothing was seen; a door was shut."""


class Environment:
    """One world: a place, and machines that nobody sees."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as stored:
            parts = {name: stored[name] for name in stored.files}
        self.moves, self.hand, self.shows = parts["moves"].tolist(), parts["hand"].tolist(), parts["shows"].tolist()
        self.machines, self.first = parts["machine_step"].tolist(), np.cumsum(parts["machine_first"], axis=1).tolist()
        self.sea, self.by_hand, self.context, self.fuel = parts["roles"].tolist()
        self.start, self.pit, self.charger, self.quiet, _ = parts["single"].tolist()
        self.slip, self.dark = parts["chances"].tolist()
        self.doors = {}
        for (place, action, inside, outside), machines, opens in zip(parts["doors"].tolist(), parts["conditions"].tolist(), parts["opens"].tolist(), strict=True):
            self.doors[place, action] = (inside, outside, [(machine, table) for machine, table in zip(machines, opens, strict=True) if machine >= 0])
        self.task = {place: number for number, place in enumerate(parts["goals"].tolist())}
        self.empty = int(parts["machine_step"][self.fuel].max()) if self.fuel >= 0 else -1

    def begin(self, rng: random.Random) -> int:
        """Start an episode; gives what is seen."""
        self.place = self.start
        self.states = []
        for heap in self.first:
            luck = rng.random()
            self.states.append(sum(luck >= level for level in heap[:-1]))
        return self._sight(self.place)

    def _sight(self, place: int) -> int:
        return self.shows[self.states[self.context] if self.context >= 0 else 0][place]

    def step(self, action: int, rng: random.Random) -> tuple[int, int, bool]:
        """What is seen, the task that is rewarded or -1, and whether this was the end."""
        place, states = self.place, self.states
        done = rng.randrange(len(self.hand[0])) if rng.random() < self.slip else action
        if self.by_hand >= 0:
            done = self.hand[states[self.by_hand]][done]
        after, shut = self.moves[states[self.sea] if self.sea >= 0 else 0][place][done], False
        if (place, done) in self.doors:
            inside, outside, conditions = self.doors[place, done]
            chance = 1.0
            for machine, opens in conditions:
                chance *= opens[states[machine]]
            if chance > 0 and (chance == 1 or rng.random() < chance):
                after = inside
            else:
                after, shut = (outside, False) if outside >= 0 else (place, not self.quiet)
        if self.fuel >= 0 and states[self.fuel] == self.empty and place != self.charger:
            after, shut = self.pit, False
        self.states = [step[state][place][action] for step, state in zip(self.machines, states, strict=True)]
        self.place = after
        over = after == self.pit
        seen = SHUT if shut else self._sight(after)
        if self.dark and not over and rng.random() < self.dark:
            seen = NOTHING
        return seen, self.task.get(after, -1), over


class Laboratory:
    """Answers with episodes of the worlds of `data`."""

    def __init__(self, data: Path, truth: Path, budget: int) -> None:
        self.worlds = {world["id"]: world for world in json.loads((data / "worlds.json").read_text())["worlds"]}
        self.environments = {name: Environment(truth / f"{name}.npz") for name in self.worlds}
        self.rngs = {}
        for name in self.worlds:
            with np.load(truth / f"{name}.npz", allow_pickle=False) as stored:
                self.rngs[name] = random.Random(int(stored["seed"][0]))
        whole = sum(world["steps"] for world in self.worlds.values())
        self.left = {name: world["steps"] * budget // whole for name, world in self.worlds.items()}
        self.time: dict[str, int] = {}
        """Steps of the episodes that go on."""

    def cost(self, question: dict) -> int:
        """One per action, one for a new episode, and one at least."""
        actions = question.get("actions")
        return max(1, (len(actions) if isinstance(actions, list) else 0) + (question.get("new") is True))

    def answer(self, question: dict) -> dict:
        name, actions, new = question.get("world"), question.get("actions", []), question.get("new", False)
        if not isinstance(name, str) or name not in self.worlds:
            raise ValueError("There is no world of this name.")
        world, environment, rng = self.worlds[name], self.environments[name], self.rngs[name]
        if not isinstance(actions, list) or any(type(action) is not int or not 0 <= action < world["actions"] for action in actions):
            raise ValueError("Actions must be a list of whole numbers below the number of actions.")
        if type(new) is not bool or not (new or name in self.time):
            raise ValueError("No episode of this world is going on.")
        cost = self.cost(question)
        if cost > self.left[name]:
            raise ValueError(f"This world has {self.left[name]} steps left.")
        self.left[name] -= cost
        observations, paid, over = [], [], False
        if new:
            observations.append(environment.begin(rng))
            self.time[name] = 0
        for action in actions:
            seen, task, ended = environment.step(action, rng)
            self.time[name] += 1
            observations.append(seen)
            paid.append(task)
            over = ended or self.time[name] >= world["horizon"]
            if over:
                del self.time[name]
                break
        return {"observations": observations, "paid": paid, "over": over}
