# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Scorers that count people instead of training anything."""

from collections import Counter

from aed.config import Settings
from aed.data import Study

ANNOTATORS = 4


def label_count(settings: Settings, study: Study, seed: int) -> dict[str, float]:
    """A label that few annotators gave is suspicious."""
    part = study.part("eval")
    votes = Counter(annotation.pair for annotation in part)
    return {annotation.annotation: 1 - votes[annotation.pair] / ANNOTATORS for annotation in part}


def peer_votes(settings: Settings, study: Study, seed: int) -> dict[str, float]:
    """A reason that the other annotators reject is suspicious: what people can do without asking the writer."""
    scores = {}
    for annotation in study.part("eval"):
        verdicts = study.peer_verdicts(annotation)
        scores[annotation.annotation] = 1 - sum(verdict == "yes" for verdict in verdicts) / len(verdicts)
    return scores
