# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The scorers by name. A scorer takes the settings, the study and a seed, and returns a score for each evaluation annotation.

A score lies in [0, 1] and says how suspicious an annotation is: 0 is surely fine, 1 is surely an error.
"""

from collections.abc import Callable
from dataclasses import dataclass

from aed.config import Settings
from aed.data import Study
from aed.scorers.counts import label_count, peer_votes
from aed.scorers.datamaps import dm_mean, dm_std

Scores = dict[str, float]
"""Annotation id to score."""


@dataclass(frozen=True)
class Scorer:
    score: Callable[[Settings, Study, int], Scores]
    trained: bool
    """Whether it depends on a seed; one that does not is run once, under seed 0."""


SCORERS = {
    "label_count": Scorer(label_count, trained=False),
    "peer_votes": Scorer(peer_votes, trained=False),
    "dm_mean": Scorer(dm_mean, trained=True),
    "dm_std": Scorer(dm_std, trained=True),
}
