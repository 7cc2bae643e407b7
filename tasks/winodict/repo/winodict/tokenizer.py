# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Text to token ids. Common words are tokens of their own; any other word is spelled in pairs of letters from the left."""

from pathlib import Path

START = "<s>"
PAD = "<pad>"
UNKNOWN = "<unk>"


class Tokenizer:
    def __init__(self, vocabulary: list[str]) -> None:
        self.vocabulary = vocabulary
        self.ids = {token: at for at, token in enumerate(vocabulary)}

    @classmethod
    def load(cls, path: Path) -> "Tokenizer":
        lines = path.read_text(encoding="utf-8").splitlines()
        return cls([line for line in lines if line and not line.startswith("#")])

    def __len__(self) -> int:
        return len(self.vocabulary)

    def pieces(self, word: str) -> list[str]:
        """`taller` is `ta`, `ll`, `er`; `tall` is `ta`, `ll`; a word of odd length ends in a single letter."""
        if word in self.ids:
            return [word]
        return [word[at : at + 2] for at in range(0, len(word), 2)]

    def encode(self, text: str, start: bool = False) -> list[int]:
        """Words and full stops are separated by blanks."""
        tokens = [START] if start else []
        for word in text.split():
            tokens += self.pieces(word)
        unknown = self.ids[UNKNOWN]
        return [self.ids.get(token, unknown) for token in tokens]
