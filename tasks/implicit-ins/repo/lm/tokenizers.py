# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The two tokenizers. Which one a model uses is the `kind` in its tokenizer.json.

Text is cut into words and single other characters first; no piece crosses such a border. Special tokens have no text form:
`encode` never produces them, whatever the text looks like, and `decode` leaves them out.
"""

import json
import re
from functools import cache
from pathlib import Path

SPACE = "\u2581"
CONTINUATION = "##"


class SpaceMarkTokenizer:
    """Byte-pair merges over words that carry a mark if a space stands before them, as in SentencePiece.

    A word at the start of the text or after a newline carries the mark too, so a word has one form wherever it stands.
    """

    def __init__(self, pieces: list[str], merges: list[tuple[str, str]], special: dict[str, int]):
        self.pieces = pieces
        self.special = special
        self.ids = {piece: at for at, piece in enumerate(pieces)}
        self._rank = {tuple(pair): at for at, pair in enumerate(merges)}
        self._cut = cache(self._merge)

    @staticmethod
    def words(text: str) -> list[str]:
        spaced = re.sub(r"(^|\n)(?=[A-Za-z])", r"\1 ", text)
        return [word.replace(" ", SPACE) for word in re.findall(r" ?[A-Za-z]+| ?[^A-Za-z\s]|\n", spaced)]

    def _merge(self, word: str) -> tuple[int, ...]:
        parts = list(word)
        while len(parts) > 1:
            ranked = [(self._rank.get(pair, len(self._rank)), at) for at, pair in enumerate(zip(parts, parts[1:]))]
            best, at = min(ranked)
            if best == len(self._rank):
                break
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return tuple(self.ids.get(part, self.special["<unk>"]) for part in parts)

    def encode(self, text: str) -> list[int]:
        return [at for word in self.words(text) for at in self._cut(word)]

    def decode(self, ids: list[int]) -> str:
        skip = set(self.special.values())
        return "".join(self.pieces[at] for at in ids if at not in skip).replace(SPACE, " ").strip()


class ContinuationTokenizer:
    """Longest match from the left; every piece but the first of a word carries a mark, as in WordPiece.

    Spaces and newlines leave no trace in the ids.
    """

    def __init__(self, pieces: list[str], special: dict[str, int]):
        self.pieces = pieces
        self.special = special
        self.ids = {piece: at for at, piece in enumerate(pieces)}
        self._cut = cache(self._match)

    @staticmethod
    def words(text: str) -> list[str]:
        return re.findall(r"[A-Za-z]+|[^A-Za-z\s]", text)

    def _match(self, word: str) -> tuple[int, ...]:
        found, start = [], 0
        while start < len(word):
            mark = CONTINUATION if start else ""
            ends = (end for end in range(len(word), start, -1) if mark + word[start:end] in self.ids)
            end = next(ends, None)
            if end is None:
                return (self.special["<|unk|>"],)
            found.append(self.ids[mark + word[start:end]])
            start = end
        return tuple(found)

    def encode(self, text: str) -> list[int]:
        return [at for word in self.words(text) for at in self._cut(word)]

    def decode(self, ids: list[int]) -> str:
        skip = set(self.special.values())
        text = " ".join(self.pieces[at] for at in ids if at not in skip).replace(f" {CONTINUATION}", "")
        return re.sub(r" ([.,!?])", r"\1", text)


Tokenizer = SpaceMarkTokenizer | ContinuationTokenizer


def load_tokenizer(path: Path) -> Tokenizer:
    content = json.loads(path.read_text())
    if content["kind"] == "space-mark":
        return SpaceMarkTokenizer(content["pieces"], [tuple(pair) for pair in content["merges"]], content["special"])
    if content["kind"] == "continuation":
        return ContinuationTokenizer(content["pieces"], content["special"])
    raise ValueError(f"{path}: unknown kind of tokenizer {content['kind']!r}")
