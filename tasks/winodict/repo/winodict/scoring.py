# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Log-likelihood of the two statements of a problem after its demonstrations.

Both statements continue the same text, so they are read in one row: the text, then the first statement, then the second, which
takes up the positions of the first and cannot see it. That is the same computation as reading the text twice, and a third cheaper.
"""

from dataclasses import dataclass

import torch

from winodict.model import LanguageModel
from winodict.tokenizer import Tokenizer


@dataclass(frozen=True)
class Query:
    prefix: str
    statements: tuple[str, str]


@torch.no_grad()
def score(model: LanguageModel, tokenizer: Tokenizer, queries: list[Query], batch: int) -> list[tuple[float, float]]:
    """For each query the summed log-probability of all tokens of either statement given the prefix."""
    rows = [_tokens(tokenizer, query) for query in queries]
    by_length = sorted(range(len(rows)), key=lambda at: sum(map(len, rows[at])))
    scores: list[tuple[float, float]] = [(0.0, 0.0)] * len(rows)
    for begin in range(0, len(rows), batch):
        chosen = by_length[begin : begin + batch]
        for at, pair in zip(chosen, _score_batch(model, [rows[at] for at in chosen]), strict=True):
            scores[at] = pair
    return scores


def _tokens(tokenizer: Tokenizer, query: Query) -> tuple[list[int], list[int], list[int]]:
    first, second = (tokenizer.encode(statement) for statement in query.statements)
    return tokenizer.encode(query.prefix, start=True), first, second


def _score_batch(model: LanguageModel, rows: list[tuple[list[int], list[int], list[int]]]) -> list[tuple[float, float]]:
    longest = max(sum(map(len, row)) for row in rows)
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    positions = torch.zeros(len(rows), longest, dtype=torch.long)
    mask = torch.ones(longest, longest, dtype=torch.bool).tril().repeat(len(rows), 1, 1)
    for at, (text, first, second) in enumerate(rows):
        fork, middle, end = len(text), len(text) + len(first), len(text) + len(first) + len(second)
        ids[at, :end] = torch.tensor(text + first + second)
        positions[at, :middle] = torch.arange(middle)
        positions[at, middle:end] = torch.arange(fork, fork + len(second))
        mask[at, middle:, fork:middle] = False
    hidden = model.hidden(ids, positions, mask)
    pairs = []
    for at, (text, first, second) in enumerate(rows):
        fork, middle = len(text), len(text) + len(first)
        last = hidden[at, fork - 1 : fork]
        pairs.append(
            (
                _log_likelihood(model, torch.cat((last, hidden[at, fork : middle - 1])), first),
                _log_likelihood(model, torch.cat((last, hidden[at, middle : middle + len(second) - 1])), second),
            )
        )
    return pairs


def _log_likelihood(model: LanguageModel, hidden: torch.Tensor, tokens: list[int]) -> float:
    logs = model.logits(hidden).log_softmax(-1)
    return float(logs.gather(1, torch.tensor(tokens)[:, None]).sum())
