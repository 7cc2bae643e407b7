# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Words to ids. Texts are stored tokenised by spaces; case is left as it is."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import torch

PAD, UNK, SEP = 0, 1, 2
SPECIAL = ("[pad]", "[unk]", "[sep]")


class Vocabulary:
    def __init__(self, words: Iterable[str]):
        self.words = list(SPECIAL) + list(words)
        self.ids = {word: at for at, word in enumerate(self.words)}

    @classmethod
    def read(cls, folder: Path) -> "Vocabulary":
        return cls((folder / "vocab.tsv").read_text(encoding="utf-8").split("\n")[:-1])

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, segments: Sequence[str]) -> list[int]:
        """Ids of the segments' words with a separator between segments."""
        ids: list[int] = []
        for at, segment in enumerate(segments):
            if at:
                ids.append(SEP)
            ids.extend(self.ids.get(word, UNK) for word in segment.split())
        return ids


def encode_batch(vocabulary: Vocabulary, rows: Sequence[Sequence[str]], max_length: int) -> torch.Tensor:
    """One padded row of ids per row of segments, each at most max_length long."""
    batch = torch.full((len(rows), max_length), PAD, dtype=torch.long)
    for at, segments in enumerate(rows):
        ids = vocabulary.encode(segments)[:max_length]
        batch[at, : len(ids)] = torch.tensor(ids)
    return batch
