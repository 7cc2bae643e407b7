# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How good positions are, given where the calls really came from."""

import numpy as np

LEVEL = 6.0
"""Metres; an error of this size and above counts nothing."""


def call_skill(error: float, floor: float) -> float:
    """log(error / level) / log(floor / level), clipped to [0, 1]."""
    return float(np.clip(np.log(max(error, 1e-9) / LEVEL) / np.log(floor / LEVEL), 0, 1))


def event_skill(placed: np.ndarray, truth: np.ndarray, floors: np.ndarray) -> float:
    """Mean over the calls of an event, under the assignment that gives most; with one call only the first place counts."""
    if len(truth) == 1:
        return call_skill(float(np.hypot(*(placed[0] - truth[0]))), float(floors[0]))
    found = [
        [call_skill(float(np.hypot(*(placed[order[k]] - truth[k]))), float(floors[k])) for k in (0, 1)]
        for order in ((0, 1), (1, 0))
    ]
    return max(float(np.mean(skills)) for skills in found)
