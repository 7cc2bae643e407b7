# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Answers of one dimension as a matrix: a row per summary, a column per kept question."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from checkeval.checklist import Checklist, load_checklist
from checkeval.responses import parse_output, read_responses


@dataclass(frozen=True)
class AnswerMatrix:
    dimension: str
    summaries: pd.DataFrame
    """Columns document and system, one row per row of `values`, in the order of the response file."""
    questions: tuple[int, ...]
    """Question number of each column."""
    values: np.ndarray
    """1.0 favourable, 0.0 unfavourable, NaN unanswered."""

    @property
    def answered(self) -> np.ndarray:
        return ~np.isnan(self.values)


def encode(verdicts: dict[int, str], checklist: Checklist) -> list[float]:
    row = []
    for question in checklist.kept:
        verdict = verdicts.get(question.number)
        row.append(float("nan") if verdict is None else float(verdict == question.favourable))
    return row


def load_answers(data_dir: Path, dimension: str) -> AnswerMatrix:
    checklist = load_checklist(data_dir, dimension)
    keys, rows = [], []
    for response in read_responses(data_dir, dimension):
        keys.append((response.document, response.system))
        rows.append(encode(parse_output(response.output), checklist))
    summaries = pd.DataFrame(keys, columns=["document", "system"])
    if summaries.duplicated().any():
        raise ValueError(f"{dimension}: a summary was judged twice")
    return AnswerMatrix(dimension, summaries, tuple(q.number for q in checklist.kept), np.array(rows, dtype=float))
