# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Whole words, numbers, punctuation marks and the special tokens of the chat format. White space carries nothing."""

import json
import re
from pathlib import Path

PIECES = re.compile(r"<\|\w+\|>|\w+(?:'\w+)?|[^\w\s]")
UNKNOWN = "<|unknown|>"
PAD = "<|pad|>"
END = "<|end|>"


class Tokenizer:
    def __init__(self, vocabulary: list[str]) -> None:
        self.vocabulary = vocabulary
        self.ids = {piece: at for at, piece in enumerate(vocabulary)}

    @classmethod
    def load(cls, path: Path) -> "Tokenizer":
        return cls(json.loads(path.read_text(encoding="utf-8")))

    def __len__(self) -> int:
        return len(self.vocabulary)

    @property
    def pad(self) -> int:
        return self.ids[PAD]

    @property
    def end(self) -> int:
        return self.ids[END]

    def encode(self, text: str) -> list[int]:
        """Pieces the model has never seen become one and the same id."""
        unknown = self.ids[UNKNOWN]
        return [self.ids.get(piece, unknown) for piece in PIECES.findall(text)]

    def decode(self, ids: list[int]) -> str:
        text = " ".join(self.vocabulary[at] for at in ids)
        return re.sub(r" ([.,:?])", r"\1", text)
