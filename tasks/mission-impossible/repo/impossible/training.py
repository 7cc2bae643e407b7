# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Training of one model on one language: AdamW, warm-up over a tenth of the steps, then linear decay to zero."""

import random
import time
from collections.abc import Iterator
from typing import Any

import torch
from torch.nn import functional as F

from impossible.model import GPT, pad


def batches(sequences: list[list[int]], size: int, rng: random.Random) -> Iterator[list[list[int]]]:
    """Endless batches; inside a pool of 16 batches, sentences of like length come together."""
    while True:
        order = rng.sample(range(len(sequences)), len(sequences))
        for start in range(0, len(order), 16 * size):
            pool = sorted(order[start : start + 16 * size], key=lambda at: len(sequences[at]))
            chunks = [pool[at : at + size] for at in range(0, len(pool), size)]
            rng.shuffle(chunks)
            for chunk in chunks:
                yield [sequences[at] for at in chunk]


def train(sequences: list[list[int]], vocabulary_size: int, pad_id: int, config: dict[str, Any], seed: int) -> GPT:
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    model = GPT(vocabulary_size, config["width"], config["layers"], config["heads"], config["context"])
    steps, warmup = config["steps"], max(1, config["steps"] // 10)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=config["learning_rate"], betas=(0.9, 0.98), weight_decay=config["weight_decay"]
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warmup, max(0.0, (steps - step) / (steps - warmup)))
    )
    stream = batches(sequences, config["batch_size"], random.Random(seed))
    started = time.time()
    for step in range(1, steps + 1):
        ids = pad(next(stream), pad_id)
        logits = model(ids[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), ignore_index=pad_id)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % config["report_every"] == 0 or step == steps:
            print(f"  step {step:5d}  loss {loss.item():.4f}  {time.time() - started:5.1f} s", flush=True)
    return model.eval()
