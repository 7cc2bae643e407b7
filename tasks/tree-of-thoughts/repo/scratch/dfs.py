# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Depth-first search with pruning, Algorithm 2 of the paper. Meant for crosswords; given up when we settled on one game.

Does not run: `prune_below` was never chosen, and a value summed over votes has no natural threshold.
"""

from tot.game import format_numbers
from tot.search import STEPS, State, is_solved
from tot.thoughts import list_thoughts
from tot.values import Evaluator


def descend(state: State, evaluator: Evaluator, prune_below: float, budget: list[int]) -> State | None:
    if len(state.lines) == STEPS or budget[0] == 0:
        return state if is_solved(state) else None
    budget[0] -= 1
    children = [State(thought.left, (*state.lines, thought.line())) for thought in list_thoughts(state.numbers)]
    valued = sorted(((evaluator.value(format_numbers(child.numbers)), child) for child in children), key=lambda pair: -pair[0])
    for value, child in valued:
        if value > prune_below:
            found = descend(child, evaluator, prune_below, budget)
            if found is not None:
                return found
    return None
