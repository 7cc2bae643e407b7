# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Greedy decoding from the product of a language model and the rules."""

from dataclasses import dataclass

import numpy as np

from implicit.chat import EOS_ID, PAD_ID, build_prompt
from implicit.rules import RuleAdapter
from implicit.settings import DecodingSettings
from lm.checkpoint import Checkpoint


@dataclass(frozen=True)
class Response:
    tokens: list[int]
    """Ids of the response, without the end-of-sequence token."""
    finish: str
    """"eos", or "length" if the response was cut at the limit."""


def respond(checkpoint: Checkpoint, adapter: RuleAdapter, instructions: list[str], settings: DecodingSettings) -> list[Response]:
    """One response per instruction, in their order."""
    prompts = [build_prompt(checkpoint.tokenizer, instruction) for instruction in instructions]
    # Prompts of similar length share a batch, which saves padding.
    order = sorted(range(len(prompts)), key=lambda at: len(prompts[at]))
    responses: dict[int, Response] = {}
    for first in range(0, len(order), settings.batch_size):
        batch = order[first : first + settings.batch_size]
        found = _decode(checkpoint, adapter, [prompts[at] for at in batch], settings.max_new_tokens)
        responses.update(zip(batch, found, strict=True))
        print(f"  {len(responses)} of {len(prompts)} responses", flush=True)
    return [responses[at] for at in range(len(prompts))]


def _decode(checkpoint: Checkpoint, adapter: RuleAdapter, prompts: list[list[int]], max_new_tokens: int) -> list[Response]:
    longest = max(len(prompt) for prompt in prompts)
    ids = np.full((len(prompts), longest), PAD_ID)
    real = np.zeros(ids.shape, dtype=bool)
    for row, prompt in enumerate(prompts):
        ids[row, longest - len(prompt) :] = prompt
        real[row, longest - len(prompt) :] = True
    finished: dict[int, Response] = {}
    rows = np.arange(len(prompts))
    cache = checkpoint.model.start(len(prompts))
    new, new_real = ids, real
    for _ in range(max_new_tokens):
        log_probabilities = checkpoint.model.forward(new, new_real, cache)
        token = (log_probabilities + adapter.scores(ids)).argmax(axis=1)
        ended = token == EOS_ID
        for at in np.flatnonzero(ended):
            finished[rows[at]] = Response(ids[at, longest:].tolist(), "eos")
        going = np.flatnonzero(~ended)
        if not len(going):
            break
        if ended.any():
            cache.keep(going)
        rows, ids = rows[going], np.concatenate([ids[going], token[going, None]], axis=1)
        new, new_real = token[going, None], np.ones((len(going), 1), dtype=bool)
    else:
        for at, row in enumerate(rows):
            finished[row] = Response(ids[at, longest:].tolist(), "length")
    return [finished[row] for row in range(len(prompts))]
