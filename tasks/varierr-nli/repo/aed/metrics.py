# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Ranking metrics. The most suspicious pair comes first; ties are broken by item and label, so that runs can be compared."""

from collections.abc import Mapping

from aed.data import Pair


def ranked(scores: Mapping[Pair, float], errors: Mapping[Pair, bool]) -> list[bool]:
    """Whether each pair is an error, from the most to the least suspicious."""
    if set(scores) != set(errors):
        raise ValueError(f"{len(scores)} scored pairs do not match {len(errors)} pairs of the study")
    return [errors[pair] for pair in sorted(scores, key=lambda pair: (-scores[pair], pair))]


def average_precision(hits: list[bool]) -> float:
    found, total = 0, 0.0
    for rank, hit in enumerate(hits, 1):
        if hit:
            found += 1
            total += found / rank
    return total / found


def precision_at(hits: list[bool], k: int = 100) -> float:
    return sum(hits[:k]) / k


def recall_at(hits: list[bool], k: int = 100) -> float:
    return sum(hits[:k]) / sum(hits)
