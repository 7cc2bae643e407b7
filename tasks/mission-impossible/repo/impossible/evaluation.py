# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Scores of a model on the sentences of a language."""

import torch

from impossible.corpus import Text
from impossible.model import GPT, pad
from impossible.scores import Score
from impossible.vocabulary import Vocabulary


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
