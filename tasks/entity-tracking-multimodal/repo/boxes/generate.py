# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Greedy decoding of a batch of prompts."""

import torch
from torch import Tensor

from boxes.gpt import GPT


def pad_left(prompts: list[list[int]], pad: int) -> tuple[Tensor, Tensor]:
    """Ids (batch, longest) and a boolean of the same shape that is True for real tokens."""
    width = max(len(prompt) for prompt in prompts)
    ids = torch.tensor([[pad] * (width - len(prompt)) + prompt for prompt in prompts])
    keep = torch.tensor([[False] * (width - len(prompt)) + [True] * len(prompt) for prompt in prompts])
    return ids, keep


def causal_mask(keep: Tensor) -> Tensor:
    """(batch, 1, length, length): earlier real tokens. Every token may look at itself, or rows of padding would have nothing to look at."""
    length = keep.shape[1]
    earlier = torch.ones(length, length, dtype=torch.bool).tril()
    return (earlier & keep[:, None, None, :]) | torch.eye(length, dtype=torch.bool)


@torch.inference_mode()
def greedy(model: GPT, prompts: list[list[int]], stop: int, pad: int, max_new_tokens: int) -> list[list[int]]:
    """The tokens that follow each prompt, up to and including `stop`."""
    ids, keep = pad_left(prompts, pad)
    positions = (keep.cumsum(1) - 1).clamp(min=0)
    logits, cache = model(ids, positions, causal_mask(keep))
    answers: list[list[int]] = [[] for _ in prompts]
    open_answers = set(range(len(prompts)))
    for _ in range(max_new_tokens):
        following = logits[:, -1].argmax(-1)
        for index in list(open_answers):
            answers[index].append(int(following[index]))
            if answers[index][-1] == stop:
                open_answers.remove(index)
        if not open_answers:
            break
        keep = torch.cat([keep, torch.ones(len(prompts), 1, dtype=torch.bool)], dim=1)
        positions = positions[:, -1:] + 1
        logits, cache = model(following[:, None], positions, keep[:, None, None, :], cache)
    return answers
