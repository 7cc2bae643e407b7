# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The student: three small networks that each read a value prompt and answer with one label. See docs/student.md."""

from pathlib import Path

import numpy as np
from safetensors import safe_open

from tot.prompts import numbers_in

LABELS = ("impossible", "likely", "sure")
SLOTS = 3
UNKNOWN = 0


class Student:
    def __init__(self, checkpoint: str | Path):
        with safe_open(str(checkpoint), framework="numpy") as file:
            # Weights are multiples of 1/256: in double precision every sum below is exact, whatever its order.
            weights = {name: file.get_tensor(name).astype(np.float64) for name in file.keys()}
            tokens = (file.metadata() or {})["tokens"].split(" ")
        self.embedding, self.hidden, self.hidden_bias = weights["embedding"], weights["hidden"], weights["hidden_bias"]
        self.output, self.output_bias = weights["output"], weights["output_bias"]
        self.voters = len(self.embedding)
        self.index = {token: at for at, token in enumerate(tokens, start=1)}

    def votes(self, prompt: str, n: int) -> list[str]:
        """The labels of the first `n` voters for one value prompt."""
        if not 1 <= n <= self.voters:
            raise ValueError(f"the student has {self.voters} voters, not {n}")
        tokens = numbers_in(prompt).split()
        if len(tokens) != SLOTS:
            raise ValueError(f"the student values {SLOTS} numbers, not {len(tokens)}: {' '.join(tokens)}")
        places = [self.index.get(token, UNKNOWN) for token in tokens]
        found = []
        for voter in range(n):
            features = self.embedding[voter, places].reshape(-1)
            hidden = np.maximum(features @ self.hidden[voter] + self.hidden_bias[voter], 0.0)
            scores = hidden @ self.output[voter] + self.output_bias[voter]
            found.append(LABELS[int(np.argmax(scores))])
        return found
