# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Sampling from model A with a temperature instead of greedy decoding, one response at a time, without rules.

Not used any more: every seed gave other responses, and the rules were easier to look at without chance in between.
"""

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from lm.checkpoint import load_checkpoint  # noqa: E402

MAX_NEW_TOKENS = 64


def sample(instruction: str, temperature: float, seed: int) -> str:
    checkpoint = load_checkpoint(ROOT / "models" / "a")
    rng = np.random.default_rng(seed)
    new = [1, *checkpoint.tokenizer.encode(f"<|user|>\n{instruction}\n<|assistant|>\n")]
    cache = checkpoint.model.start(1)
    response: list[int] = []
    while len(response) < MAX_NEW_TOKENS:
        ids = np.array([new])
        scores = checkpoint.model.forward(ids, np.ones(ids.shape, dtype=bool), cache)[0] / temperature
        weights = np.exp(scores - scores.max())
        token = int(rng.choice(len(weights), p=weights / weights.sum()))
        if token == 2:
            break
        response.append(token)
        new = [token]
    return checkpoint.tokenizer.decode(response)


if __name__ == "__main__":
    for seed in range(3):
        print(sample(sys.argv[1], 1.0, seed))
