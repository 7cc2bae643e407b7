# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Mapping checklist scores onto the 1 to 5 scale of the raters. Not used.

A quadratic in the score, fitted on a random tenth of the summaries. It was meant to make scores and ratings comparable in one
plot. A monotone map cannot move a rank correlation, so it was given up; Pearson hardly changed either.

TODO either delete or turn into something that uses more than the score.
"""

from __future__ import annotations

import numpy as np
import pandas as pd


def random_rows(table: pd.DataFrame, fraction: float, seed: int) -> np.ndarray:
    """Mask of a random share of the rows."""
    rng = np.random.default_rng(seed)
    chosen = np.zeros(len(table), dtype=bool)
    chosen[rng.permutation(len(table))[: round(fraction * len(table))]] = True
    return chosen


def calibrate(scores: pd.DataFrame, human: pd.DataFrame, fraction: float = 0.1, seed: int = 0) -> pd.DataFrame:
    joined = scores.merge(human, on=["document", "system", "dimension"])
    parts = []
    for _, part in joined.groupby("dimension"):
        fit = random_rows(part, fraction, seed)
        curve = np.polyfit(part["score"][fit], part["human"][fit], deg=2)
        parts.append(part.assign(score=np.polyval(curve, part["score"])))
    return pd.concat(parts, ignore_index=True).drop(columns="human")
