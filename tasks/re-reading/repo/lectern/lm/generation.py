# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Greedy decoding in batches; finished rows are held at the stop token."""

import torch

from lectern.lm.model import CausalLM


@torch.no_grad()
def greedy(model: CausalLM, prompts: list[list[int]], max_new: int, stop: int, pad: int, batch: int) -> list[list[int]]:
    """The continuation of every prompt, in the order given, without the stop token."""
    order = sorted(range(len(prompts)), key=lambda at: len(prompts[at]))
    answers: list[list[int]] = [[] for _ in prompts]
    for start in range(0, len(order), batch):
        part = order[start : start + batch]
        for at, answer in zip(part, _decode([prompts[at] for at in part], model, max_new, stop, pad), strict=True):
            answers[at] = answer[: answer.index(stop)] if stop in answer else answer
    return answers


def _decode(prompts: list[list[int]], model: CausalLM, max_new: int, stop: int, pad: int) -> list[list[int]]:
    lengths = torch.tensor([len(prompt) for prompt in prompts])
    longest = int(lengths.max())
    ids = torch.tensor([prompt + [pad] * (longest - len(prompt)) for prompt in prompts])
    state = model.read(ids, lengths)
    finished = torch.zeros(len(prompts), dtype=torch.bool)
    written: list[torch.Tensor] = []
    while len(written) < max_new and not bool(finished.all()):
        if written:
            state = model.step(written[-1], state)
        token = model.logits(state.hidden).argmax(-1)
        token = torch.where(finished, torch.full_like(token, stop), token)
        finished |= token == stop
        written.append(token)
    return torch.stack(written, 1).tolist()
