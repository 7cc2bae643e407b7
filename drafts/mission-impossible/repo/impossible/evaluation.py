# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Scores of a model on the sentences of a language, and the perplexity made of them."""

import math
from dataclasses import dataclass
from pathlib import Path

import torch

from impossible.corpus import Text
from impossible.model import GPT, pad
from impossible.vocabulary import Vocabulary


@dataclass(frozen=True)
class Score:
    id: str
    tokens: int
    """How many tokens were predicted: the sentence's and the end mark."""
    logprob: float
    """Natural logarithm of the probability of all of them."""


@torch.no_grad()
def score(model: GPT, texts: list[Text], vocabulary: Vocabulary, batch_size: int = 50) -> list[Score]:
    model.eval()
    scores = []
    for start in range(0, len(texts), batch_size):
        part = texts[start : start + batch_size]
        ids = pad([vocabulary.encode(text.tokens) for text in part], vocabulary.pad)
        logprobs = model(ids[:, :-1]).log_softmax(-1).gather(-1, ids[:, 1:, None])[..., 0]
        mask = ids[:, 1:] != vocabulary.pad
        totals = (logprobs * mask).double().sum(1).tolist()
        scores += [Score(text.id, int(row.sum()), total) for text, row, total in zip(part, mask, totals)]
    return scores


def perplexity(scores: list[Score]) -> float:
    """Geometric mean over sentences of the sentence's perplexity."""
    return math.exp(sum(-one.logprob / one.tokens for one in scores) / len(scores))


def write_scores(scores: list[Score], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [f"{one.id}\t{one.tokens}\t{one.logprob:.6f}" for one in scores]
    path.write_text("id\ttokens\tlogprob\n" + "\n".join(rows) + "\n", encoding="utf-8")
