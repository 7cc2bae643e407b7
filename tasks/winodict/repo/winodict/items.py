# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Items (a sentence with a gap for the key word) and problems (an item with a word in the gap)."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Item:
    id: str
    pair: str
    """Twins of a pair share the sentence and have opposite definitions and labels."""
    pos: str
    """noun, verb, adj or adv."""
    tag: str
    """Penn tag of the form that the gap asks for."""
    sentence: str
    """With the gaps {option} and {word}."""
    options: tuple[str, str]
    label: int
    """Index of the right option."""
    definition: str
    """What the key word means, as the right-hand side of a dictionary entry."""


@dataclass(frozen=True)
class Problem:
    item: Item
    lemma: str
    """The word as a dictionary lists it: it is what gets defined."""
    form: str
    """The word as the sentence needs it."""

    @property
    def id(self) -> str:
        return self.item.id


def load_items(data: Path) -> list[Item]:
    lines = (data / "items.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [Item(**{**row, "options": tuple(row["options"])}) for row in rows]


def load_words(data: Path, pos: str) -> list[str]:
    """The lemmas of a part of speech, the most frequent first."""
    lines = (data / "words" / f"{pos}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def clashes(item: Item, lemma: str, form: str) -> bool:
    """Whether the word, as lemma or as form, is already a word of the item's sentence or definition."""
    present = set(item.sentence.split()) | set(item.definition.split())
    return lemma in present or form in present
