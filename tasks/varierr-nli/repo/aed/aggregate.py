# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""From annotations to item-label pairs: several annotators may have given the same label, each with a reason."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from aed.data import Annotation, Pair


def pair_scores(annotations: Iterable[Annotation], scores: Mapping[str, float]) -> dict[Pair, float]:
    """A pair's score is the mean over its annotations."""
    gathered: dict[Pair, list[float]] = defaultdict(list)
    for annotation in annotations:
        gathered[annotation.pair].append(scores[annotation.annotation])
    return {pair: sum(values) / len(values) for pair, values in gathered.items()}
