# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Which solved problems stand in front of a query."""

import random

from winodict.config import Config
from winodict.items import Problem


def shares_source(candidate: Problem, query: Problem, exclude: str) -> bool:
    """Whether a demonstration would give the query away. A twin does: its label is the opposite one."""
    if exclude == "pair":
        return candidate.item.pair == query.item.pair
    return candidate.id == query.id


def draw_demonstrations(query: Problem, problems: list[Problem], config: Config) -> list[Problem]:
    """A sample of the other problems, in file order before sampling, from the query's own generator."""
    pool = [problem for problem in problems if not shares_source(problem, query, config.exclude)]
    return random.Random(f"{config.seed}:demonstrations:{query.id}").sample(pool, config.shots)
