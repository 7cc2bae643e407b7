# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Breadth-first search over thoughts, Algorithm 1 of the paper."""

import random
from dataclasses import dataclass

from tot import select
from tot.game import TARGET, Numbers, format_numbers
from tot.thoughts import list_thoughts
from tot.values import Evaluator, get_values

STEPS = 3


@dataclass(frozen=True)
class State:
    numbers: Numbers
    lines: tuple[str, ...] = ()


def solve(puzzle: Numbers, evaluator: Evaluator | None, breadth: int, rng: random.Random) -> State:
    """The best state after three steps. Without an evaluator, states are kept at random."""
    frontier = [State(puzzle)]
    for _ in range(STEPS):
        candidates = [
            State(thought.left, (*state.lines, thought.line())) for state in frontier for thought in list_thoughts(state.numbers)
        ]
        if evaluator is None:
            kept = select.uniform([0.0] * len(candidates), breadth, rng)
        else:
            values = get_values(evaluator, [format_numbers(state.numbers) for state in candidates])
            kept = select.greedy(values, breadth)
        frontier = [candidates[place] for place in kept]
    return frontier[0]


def is_solved(state: State) -> bool:
    """Every thought of the search is legal, so the number that is left tells."""
    return state.numbers == (TARGET,)
