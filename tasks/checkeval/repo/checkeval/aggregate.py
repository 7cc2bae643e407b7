# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""From answers to one checklist score per summary and dimension.

A score table is a data frame with the columns document, system, dimension and score. Refused summaries are not in it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from checkeval.answers import AnswerMatrix
from checkeval.config import AggregationConfig

RULES = ("zero", "own_mean", "question_mean")


def _complete(values: np.ndarray, rule: str) -> np.ndarray:
    answered = ~np.isnan(values)
    if rule == "zero":
        return np.where(answered, values, 0.0)
    if rule == "own_mean":
        own = np.nanmean(values, axis=1)
        return np.where(answered, values, own[:, None])
    if rule == "question_mean":
        return np.where(answered, values, np.nanmean(values, axis=0)[None, :])
    raise ValueError(f"missing must be one of {RULES}, not {rule!r}")


def checklist_scores(answers: AnswerMatrix, config: AggregationConfig) -> pd.DataFrame:
    """The share of favourable answers of each summary."""
    share = answers.answered.mean(axis=1)
    scored = (share > 0) & (share >= config.min_answered)
    completed = _complete(answers.values[scored], config.missing)
    table = answers.summaries[scored].reset_index(drop=True)
    table["dimension"] = answers.dimension
    table["score"] = completed.mean(axis=1).round(config.decimals)
    return table
