# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The laboratory: treats units, waits until they have settled, and reads all variables of each.

A question is one batch of up to six arms in one world:

    {"world": "world_03", "arms": [{"n": 8}, {"set": {"2": 1}, "n": 6}, {"set": {"2": -2, "5": 2}, "n": 6}, {"push": {"4": 2}, "n": 6}]}

`set` holds one variable, or two at doses of the same strength (both 1 or -1, or both 2 or -2), at the levels that `set_levels` names for doses -2, -1, 1 and 2;
`push` adds to one variable what `push_levels` names; an arm with neither is a control. The answer lists readings per arm, one row of eight per unit.
A batch costs 10, each arm 4 more, each unit 1 more. Every world has an equal share of the budget, and each condition a limited number of units.
"""

from pathlib import Path

import numpy as np

VARIABLES = 8
ARMS = 6
SET_UP, ARM = 10, 4
DOSES = (-2, -1, 1, 2)


def _units(arm: object) -> int:
    n = arm.get("n") if isinstance(arm, dict) else None
    if type(n) is not int or not 1 <= n <= 40:
        raise ValueError("An arm is an object whose n is an integer from 1 to 40.")
    return n


def _doses(arm: dict, kind: str, most: int) -> tuple[int, ...]:
    """A dose for each variable, 0 where it is left alone."""
    given = arm.get(kind, {})
    if not isinstance(given, dict) or len(given) > most:
        raise ValueError(f"An arm's {kind} is an object with at most {most} of the variables 0 to 7 and their doses.")
    doses = [0] * VARIABLES
    for name, dose in given.items():
        if name not in [str(i) for i in range(VARIABLES)] or type(dose) is not int or dose not in DOSES:
            raise ValueError("Variables are named 0 to 7 and doses are -2, -1, 1 or 2.")
        doses[int(name)] = dose
    return tuple(doses)


class Store:
    """The readings that one world still has to give."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as stored:
            self.readings, self.batches = stored["readings"] / 1000.0, stored["batches"]
            menu = [(tuple(a), tuple(b)) for a, b in zip(stored["doses"].tolist(), stored["pushes"].tolist(), strict=True)]
            stock = stored["stock"].tolist()
        controls = len(self.readings) - sum(stock)
        nothing = (0,) * VARIABLES
        ends = np.cumsum([controls, *stock]).tolist()
        self.next = dict(zip([(nothing, nothing), *menu], [0, *ends[:-1]], strict=True))
        self.end = dict(zip([(nothing, nothing), *menu], ends, strict=True))
        self.asked, self.spent = 0, 0


class Laboratory:
    """Sells batches of treated units; `budget` is shared equally among worlds."""

    pace = 0.002

    def __init__(self, data: Path, truth: Path, budget: int) -> None:
        self.stores = {path.stem: Store(truth / path.name) for path in sorted(data.glob("world_*.npz"))}
        self.share = budget // max(1, len(self.stores))

    def cost(self, question: dict) -> int:
        arms = question.get("arms")
        if not isinstance(arms, list) or not 1 <= len(arms) <= ARMS:
            raise ValueError(f"A batch lists 1 to {ARMS} arms.")
        return SET_UP + sum(ARM + _units(arm) for arm in arms)

    def answer(self, question: dict) -> dict:
        name = question.get("world")
        if not isinstance(name, str) or name not in self.stores:
            raise ValueError("There is no world of this name.")
        store, price = self.stores[name], self.cost(question)
        if store.spent + price > self.share or store.asked == len(store.batches):
            raise ValueError(f"The batch costs {price}, and {self.share - store.spent} is left for this world.")
        wanted = []
        for arm in question["arms"]:
            condition = (_doses(arm, "set", 2), _doses(arm, "push", 1))
            if condition not in store.next:
                raise ValueError("An arm sets one variable, or two at doses of the same strength, or pushes one, or does nothing.")
            wanted.append((condition, _units(arm)))
        for condition in {condition for condition, _ in wanted}:
            if store.next[condition] + sum(n for other, n in wanted if other == condition) > store.end[condition]:
                raise ValueError(f"One of these conditions has only {store.end[condition] - store.next[condition]} units left.")
        store.spent += price
        offset, store.asked = store.batches[store.asked], store.asked + 1
        shown = []
        for condition, n in wanted:
            at = store.next[condition]
            store.next[condition] = at + n
            shown.append((store.readings[at : at + n] + offset).round(3).tolist())
        return {"arms": shown, "left_for_world": self.share - store.spent}
