# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The text model's tokenizer: every word and every punctuation mark is a token."""

import json
import re
from pathlib import Path


class WordTokenizer:
    def __init__(self, vocabulary: list[str]) -> None:
        self.vocabulary = vocabulary
        self.ids = {token: index for index, token in enumerate(vocabulary)}

    @classmethod
    def load(cls, folder: Path) -> "WordTokenizer":
        return cls(json.loads((folder / "vocab.json").read_text()))

    def encode(self, text: str) -> list[int]:
        return [self.ids[word] for word in re.findall(r"\w+|[^\w\s]", text)]

    def decode(self, ids: list[int]) -> str:
        text = " ".join(self.vocabulary[index] for index in ids if not self.vocabulary[index].startswith("<"))
        return re.sub(r" ([,.:])", r"\1", text)
