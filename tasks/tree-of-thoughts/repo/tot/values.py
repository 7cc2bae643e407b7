# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""From labels to values: the worth of a vote, the cache, and the evaluator that the search asks."""

import json
from functools import cache
from pathlib import Path

from tot.config import Config
from tot.game import TARGET, can_reach_target, parse_numbers
from tot.prompts import value_prompt
from tot.student import Student


def worth(votes: list[str], labels: dict[str, float]) -> float:
    """The value of a state: the sum over its votes."""
    return sum(labels[vote] for vote in votes)


class ValueCache:
    """Values that were paid for once, by the numbers that filled the prompt."""

    def __init__(self, known: dict[str, float] | None = None):
        self.known = dict(known or {})
        self.hits = 0

    def get(self, numbers: str) -> float | None:
        value = self.known.get(numbers)
        self.hits += value is not None
        return value

    def put(self, numbers: str, value: float) -> None:
        self.known[numbers] = value


@cache
def open_cache(path: Path) -> ValueCache:
    """One cache per file and process, filled with what the file holds."""
    return ValueCache(json.loads(path.read_text(encoding="utf-8")))


class Evaluator:
    """Values a state from its left numbers. Two numbers or one are looked through; three are put to the student."""

    def __init__(self, student: Student, config: Config, known: ValueCache):
        self.student, self.config, self.known = student, config, known

    def value(self, numbers: str) -> float:
        known = self.known.get(numbers)
        if known is not None:
            return known
        value = worth(self._votes(numbers), self.config.labels)
        self.known.put(numbers, value)
        return value

    def _votes(self, numbers: str) -> list[str]:
        left = parse_numbers(numbers)
        if len(left) > 2:
            return self.student.votes(value_prompt(numbers), self.config.votes)
        good = can_reach_target(*left) if len(left) == 2 else left[0] == TARGET
        return ["sure" if good else "impossible"] * self.config.votes


def build_evaluator(config: Config) -> Evaluator:
    """The evaluator of the base experiment, warm-started from the stored values if the config says so."""
    known = open_cache(config.value_cache) if config.warm_start else ValueCache()
    return Evaluator(Student(config.checkpoint), config, known)


def get_values(evaluator: Evaluator, states: list[str]) -> list[float]:
    """One value per state. A prompt that comes back within a step is not asked again and is worth nothing."""
    values, asked = [], set()
    for numbers in states:
        values.append(0.0 if numbers in asked else evaluator.value(numbers))
        asked.add(numbers)
    return values
