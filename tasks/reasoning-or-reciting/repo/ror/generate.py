# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Greedy generation in batches."""

from collections import defaultdict
from dataclasses import dataclass

import torch

from ror.model import LanguageModel
from ror.tokenizer import STOP, decode, encode


@dataclass(frozen=True)
class Generation:
    output: str
    """What the model wrote, with the stop if it came to one."""
    logprob: float
    """Log-probability of the output given the prompt, natural logarithm, summed over its tokens."""


@torch.no_grad()
def generate(model: LanguageModel, prompts: list[str], max_new_tokens: int, batch_size: int) -> list[Generation]:
    """One greedy continuation per prompt. Prompts of one length share a batch, so nothing is padded."""
    by_length: dict[int, list[int]] = defaultdict(list)
    encoded = [encode(prompt) for prompt in prompts]
    for at, ids in enumerate(encoded):
        by_length[len(ids)].append(at)
    found: dict[int, Generation] = {}
    for members in by_length.values():
        for start in range(0, len(members), batch_size):
            batch = members[start : start + batch_size]
            written, scores = _continue(model, torch.tensor([encoded[at] for at in batch]), max_new_tokens)
            for at, tokens, logprobs in zip(batch, written, scores, strict=True):
                length = tokens.index(STOP) + 1 if STOP in tokens else len(tokens)
                found[at] = Generation(decode(tokens[:length]), sum(logprobs[:length]))
    return [found[at] for at in range(len(prompts))]


def _continue(model: LanguageModel, ids: torch.Tensor, max_new_tokens: int) -> tuple[list[list[int]], list[list[float]]]:
    cache, tokens, scores = None, [], []
    for _ in range(max_new_tokens):
        logits, cache = model(ids, cache)
        best = logits[:, -1].log_softmax(-1).max(-1)
        tokens.append(best.indices)
        scores.append(best.values)
        ids = best.indices[:, None]
        if all(STOP in row for row in torch.stack(tokens, 1).tolist()):
            break
    return torch.stack(tokens, 1).tolist(), torch.stack(scores, 1).tolist()
