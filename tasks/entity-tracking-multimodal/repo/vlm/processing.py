# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Text and pictures for the vision-language model: its subword tokenizer, its prompt wording and its icons."""

import json
import re
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

SLOTS = 3
"""Places for an icon in a picture of one box."""


class PieceTokenizer:
    """Words are split into the longest known pieces from the left; a piece that begins a word carries the word mark. What no piece matches
    becomes `<unk>`.

    Piece indices count from 0 and are what the output layer predicts. They are not rows of the embedding, see the checkpoint's README.
    """

    def __init__(self, pieces: list[str], word_mark: str) -> None:
        self.pieces, self.word_mark = pieces, word_mark
        self.index = {piece: at for at, piece in enumerate(pieces)}

    @classmethod
    def load(cls, folder: Path) -> "PieceTokenizer":
        values = json.loads((folder / "tokenizer.json").read_text())
        return cls(values["pieces"], values["word_mark"])

    def encode(self, text: str) -> list[int]:
        found: list[int] = []
        for word in re.findall(r"<\w+>|\w+|[^\w\s]", text):
            rest = self.word_mark + word if word[0].isalnum() else word
            while rest:
                piece = next((rest[:end] for end in range(len(rest), 0, -1) if rest[:end] in self.index), None)
                found.append(self.index["<unk>" if piece is None else piece])
                rest = rest[len(piece) :] if piece is not None else ""
        return found

    def decode(self, indices: list[int]) -> str:
        """Text without the special pieces."""
        pieces = [self.pieces[at] for at in indices]
        return "".join(piece for piece in pieces if not piece.startswith("<")).replace(self.word_mark, " ").strip()


class Processor:
    def __init__(self, folder: Path) -> None:
        self.tokenizer = PieceTokenizer.load(folder)
        self.settings = json.loads((folder / "processor_config.json").read_text())
        icons = load_file(folder / "icons.safetensors")
        self.icons = {name: icons[name] for name in sorted(icons)}

    def draw(self, boxes: list[list[str]]) -> Tensor:
        """A picture (1, patches, pixels): one row of places per box, an icon for each object, nothing where there is none."""
        blank = torch.zeros_like(next(iter(self.icons.values())))
        patches = [self.icons[box[slot]] if slot < len(box) else blank for box in boxes for slot in range(SLOTS)]
        return torch.stack(patches)[None]
