# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Scores of a problem, known before anything is translated, that may tell whether an explanation is worth asking for.

A heuristic takes a problem and returns a number; larger means that an explanation is more likely to help.
"""

import ast
from collections.abc import Callable

from ett.problems import Problem

Heuristic = Callable[[Problem], float]

REGISTRY: dict[str, Heuristic] = {}


class Unscorable(Exception):
    """The problem has no score under this heuristic; it is left out of that heuristic's results altogether."""


def register(name: str) -> Callable[[Heuristic], Heuristic]:
    def add(function: Heuristic) -> Heuristic:
        if name in REGISTRY:
            raise ValueError(f"heuristic {name!r} is registered twice")
        REGISTRY[name] = function
        return function

    return add


def parse(problem: Problem) -> ast.Module:
    try:
        return ast.parse(problem.source)
    except (SyntaxError, ValueError) as error:
        raise Unscorable(f"{problem.problem_id}: {error}") from error


@register("chars")
def chars(problem: Problem) -> float:
    """Characters of the source, free of comments and layout."""
    return len(ast.unparse(parse(problem)))


@register("lines")
def lines(problem: Problem) -> float:
    """Lines that hold a statement; docstrings do not count."""
    held = set()
    for node in ast.walk(parse(problem)):
        if isinstance(node, ast.stmt) and not _is_docstring(node):
            held.add(node.lineno)
    return len(held)


@register("names")
def names(problem: Problem) -> float:
    """Distinct identifiers. Tracked lines so closely that we stopped reporting it."""
    return len({node.id for node in ast.walk(parse(problem)) if isinstance(node, ast.Name)})


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
