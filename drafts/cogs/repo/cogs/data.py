# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Reading the splits, indexing words, making batches."""

import csv
import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

PAD, BOS, EOS = 0, 1, 2
SPECIAL = ("<pad>", "<s>", "</s>")
SPLITS = ("train", "dev", "test", "gen")


@dataclass(frozen=True)
class Example:
    id: str
    sentence: list[str]
    logical_form: list[str]
    type: str


def read_split(folder: Path, split: str) -> list[Example]:
    with (folder / f"{split}.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return [Example(row["id"], row["sentence"].split(), row["logical_form"].split(), row["type"]) for row in rows]


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

    def batch(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        return trim(self.source[rows]), trim(self.target[rows])


def trim(matrix: Tensor) -> Tensor:
    """Without the columns that are padding in every row."""
    return matrix[:, : int((matrix != PAD).sum(1).max())]


def pad(rows: list[list[int]]) -> Tensor:
    width = max(map(len, rows))
    return torch.tensor([row + [PAD] * (width - len(row)) for row in rows])


def tensors(examples: list[Example], vocabulary: Vocabulary) -> Tensors:
    source = pad([vocabulary.encode(example.sentence) + [EOS] for example in examples])
    target = pad([[BOS, *vocabulary.encode(example.logical_form), EOS] for example in examples])
    return Tensors(source, target)


def batches(data: Tensors, size: int, seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Endless: every epoch is a new shuffle, its last batch may be short."""
    rng = random.Random(seed)
    order = list(range(len(data)))
    while True:
        rng.shuffle(order)
        for at in range(0, len(order), size):
            yield data.batch(torch.tensor(order[at : at + size]))
