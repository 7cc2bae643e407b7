# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Word-level vocabulary; the line number in data/vocab.tsv is the id."""

from pathlib import Path


class Vocabulary:
    def __init__(self, path: Path) -> None:
        self.words = path.read_text(encoding="utf-8").split("\n")[:-1]
        self.ids = {word: at for at, word in enumerate(self.words)}
        self.pad, self.bos, self.eos = (self.ids[name] for name in ("<pad>", "<bos>", "<eos>"))

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, tokens: list[str]) -> list[int]:
        """Ids with the sentence marks around them; an unknown word is an error, not <unk>."""
        return [self.bos, *(self.ids[token] for token in tokens), self.eos]
