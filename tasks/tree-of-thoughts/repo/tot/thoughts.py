# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Thoughts: one line such as "4 + 8 = 12 (left: 6 9 12)", read from a completion or listed by the exhaustive proposer."""

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from tot.game import OPERATORS, Numbers, combine, format_numbers, parse_numbers

NUMBER = r"-?\d+(?:/\d+)?"
LINE = re.compile(rf"({NUMBER}) ([-+*/]) ({NUMBER}) = ({NUMBER}) \(left: ({NUMBER}(?: {NUMBER})*)\)")


@dataclass(frozen=True)
class Thought:
    """What a line says. Nothing here is checked."""

    a: Fraction
    operator: str
    b: Fraction
    result: Fraction
    left: Numbers
    """In the order in which the line gives them."""

    def line(self) -> str:
        return f"{self.a} {self.operator} {self.b} = {self.result} (left: {format_numbers(self.left)})"


def parse_line(line: str) -> Thought | None:
    """None if the line is not a thought: a heading, a blank line, one that was cut off."""
    match = LINE.fullmatch(line.strip())
    if match is None:
        return None
    a, operator, b, result, left = match.groups()
    return Thought(Fraction(a), operator, Fraction(b), Fraction(result), parse_numbers(left))


def read_completion(completion: str) -> list[Thought]:
    """All thoughts of a completion, in order."""
    parsed = (parse_line(line) for line in completion.splitlines())
    return [thought for thought in parsed if thought is not None]


def list_thoughts(numbers: Numbers) -> list[Thought]:
    """The exhaustive proposer of the search: every legal thought, left numbers in ascending order."""
    found = []
    for i, j in combinations(range(len(numbers)), 2):
        rest = [number for at, number in enumerate(numbers) if at not in (i, j)]
        for a, b in ((numbers[i], numbers[j]), (numbers[j], numbers[i])):
            for operator in OPERATORS:
                result = combine(a, operator, b)
                if result is not None:
                    found.append(Thought(a, operator, b, result, tuple(sorted([*rest, result]))))
    return found
