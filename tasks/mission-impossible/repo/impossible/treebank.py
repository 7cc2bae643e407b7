# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The parsed corpus: one sentence per line, an id and a tree in Penn brackets.

The perturbations so far look at words and tags only, so the brackets are flattened while reading.
"""

import re
from dataclasses import dataclass
from pathlib import Path

LEAF = re.compile(r"\(([^\s()]+) ([^\s()]+)\)")


@dataclass(frozen=True)
class Sentence:
    id: str
    words: tuple[str, ...]
    """As in the corpus, the first one capitalised."""
    tags: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.words)


def parse_line(line: str) -> Sentence:
    sentence_id, tree = line.split("\t")
    leaves = LEAF.findall(tree)
    if not leaves:
        raise ValueError(f"no words in {sentence_id}")
    tags, words = zip(*leaves)
    return Sentence(sentence_id, words, tags)


def read_treebank(path: Path) -> list[Sentence]:
    lines = path.read_text(encoding="utf-8").splitlines()
    if lines[0] != "id\ttree":
        raise ValueError(f"{path} has another header than expected: {lines[0]!r}")
    return [parse_line(line) for line in lines[1:]]
