# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Decoding restricted to well-formed statements. Given up: with two demonstrations the text model is well-formed anyway, and this is slow.

Kept because the paper decodes under a pattern. Nothing imports it.
"""

import torch

from boxes.gpt import GPT
from boxes.tokenizer import WordTokenizer

FRAME = ("Box", "{box}", "contains")
FUNCTION_WORDS = {"Description", "Statement", ":", "Box", "contains", "Move", "Put", "Remove", "from", "to", "into"}


def allowed_after(tokens: list[str], box: int, boxes: int, objects: set[str]) -> set[str]:
    """Words that may follow `tokens`, the part of the clause about `box` that has been written."""
    if len(tokens) < len(FRAME):
        return {FRAME[len(tokens)].format(box=box)}
    last = tokens[-1]
    closing = {","} if box < boxes - 1 else {"."}
    if last == "contains":
        return {"nothing", "the"}
    if last == "nothing":
        return closing
    if last == "the":
        return objects - set(tokens)
    if last == "and":
        return {"the"}
    return closing | {"and"}


@torch.inference_mode()
def constrained_statement(model: GPT, tokenizer: WordTokenizer, prompt: list[int], boxes: int) -> str:
    objects = {word for word in tokenizer.vocabulary if word.isalpha() and word not in FUNCTION_WORDS | {"nothing", "the", "and"}}
    written: list[int] = []
    for box in range(boxes):
        clause: list[str] = []
        while not clause or clause[-1] not in {",", "."}:
            # TODO no cache here, every word runs the whole prompt again
            logits, _ = model(torch.tensor([prompt + written]))
            words = sorted(allowed_after(clause, box, boxes, objects))
            scores = logits[0, -1, [tokenizer.ids[word] for word in words]]
            clause.append(words[int(scores.argmax())])
            written.append(tokenizer.ids[clause[-1]])
    return tokenizer.decode(written)
