# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The best that any choice between the two arms could reach on these completions.

Takes, per problem, the arm that did better on the very completions that are scored, so luck counts as skill: an upper bound,
not something a heuristic can be expected to reach.
"""

from collections.abc import Iterable, Mapping

from ett.completions import Tally


def oracle_rate(tallies: Iterable[Mapping[str, Tally]]) -> float:
    best = [max(t.c / t.n for t in arms.values()) for arms in tallies]
    return sum(best) / len(best)
