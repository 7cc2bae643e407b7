# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Rules of the game: exact numbers, how they are written, the four operations."""

from collections.abc import Sequence
from fractions import Fraction

TARGET = Fraction(24)
OPERATORS = "+-*/"

Numbers = tuple[Fraction, ...]


def combine(a: Fraction, operator: str, b: Fraction) -> Fraction | None:
    """The result, or None for a division by zero."""
    if operator == "+":
        return a + b
    if operator == "-":
        return a - b
    if operator == "*":
        return a * b
    if operator == "/":
        return a / b if b else None
    raise ValueError(f"unknown operator {operator!r}")


def parse_numbers(text: str) -> Numbers:
    """Three exact numbers from "8/3 4 -1", in the order in which they stand there."""
    return tuple(Fraction(token) for token in text.split())


def format_numbers(numbers: Sequence[Fraction]) -> str:
    return " ".join(str(number) for number in numbers)


def can_reach_target(a: Fraction, b: Fraction) -> bool:
    """One step ahead: does any operation on two numbers give 24?"""
    pairs = ((a, b), (b, a))
    return any(combine(x, operator, y) == TARGET for x, y in pairs for operator in OPERATORS)
