# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Indexing words, making tensors and batches."""

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from cogs.examples import Example

PAD, BOS, EOS = 0, 1, 2
SPECIAL = ("<pad>", "<s>", "</s>")
POOL = 8
"""Batches that are cut from one pool of examples, sorted by length."""


class Vocabulary:
    """One index for sentences and logical forms. Built on train alone: nothing in the other splits is out of it."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = list(words)
        self.index = {word: at for at, word in enumerate(self.words)}

    @classmethod
    def of(cls, examples: list[Example]) -> "Vocabulary":
        words = {word for example in examples for word in example.sentence + example.logical_form}
        return cls([*SPECIAL, *sorted(words)])

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, tokens: list[str]) -> list[int]:
        return [self.index[token] for token in tokens]

    def decode(self, ids: list[int]) -> list[str]:
        """Words up to the first end mark; what follows it is padding."""
        if EOS in ids:
            ids = ids[: ids.index(EOS)]
        return [self.words[at] for at in ids]

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(self.words) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> "Vocabulary":
        return cls(json.loads(path.read_text(encoding="utf-8")))


@dataclass(frozen=True)
class Tensors:
    """A split as two padded matrices. A target row is BOS, form, EOS; a source row is sentence, EOS."""

    source: Tensor
    target: Tensor

    def __len__(self) -> int:
        return len(self.source)

    def batch(self, rows: list[int]) -> tuple[Tensor, Tensor]:
        return trim(self.source[rows]), trim(self.target[rows])


def lengths(matrix: Tensor) -> list[int]:
    counts: list[int] = (matrix != PAD).sum(1).tolist()
    return counts


def trim(matrix: Tensor) -> Tensor:
    """Without the columns that are padding in every row."""
    return matrix[:, : max(lengths(matrix))]


def pad(rows: list[list[int]]) -> Tensor:
    width = max(map(len, rows))
    return torch.tensor([row + [PAD] * (width - len(row)) for row in rows])


def tensors(examples: list[Example], vocabulary: Vocabulary) -> Tensors:
    source = pad([[*vocabulary.encode(example.sentence), EOS] for example in examples])
    target = pad([[BOS, *vocabulary.encode(example.logical_form), EOS] for example in examples])
    return Tensors(source, target)


def batches(data: Tensors, size: int, seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Endless: every epoch is a new shuffle, its last batch may be short.

    Examples are sorted by length inside pools of POOL batches, and the batches of a pool come in random order: that saves a
    fifth of the time, which would go into padding.
    """
    rng = random.Random(seed)
    order = list(range(len(data)))
    by_length = list(zip(lengths(data.target), lengths(data.source), strict=True))
    while True:
        rng.shuffle(order)
        for start in range(0, len(order), POOL * size):
            pool = sorted(order[start : start + POOL * size], key=by_length.__getitem__)
            cuts = list(range(0, len(pool), size))
            rng.shuffle(cuts)
            for at in cuts:
                yield data.batch(pool[at : at + size])
