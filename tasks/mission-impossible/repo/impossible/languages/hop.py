# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The hop family: verbs lose their inflection, and a marker of number stands some words later."""

from functools import lru_cache
from pathlib import Path

from impossible.languages import register
from impossible.treebank import Sentence

MARKERS = {"VBZ": "<sg>", "VBP": "<pl>"}


@lru_cache(maxsize=1)
def base_forms() -> dict[str, str]:
    lines = Path("data/base_forms.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return dict(line.split("\t") for line in lines)


def hop(sentence: Sentence, distance: int) -> list[str]:
    """Put each finite verb's marker after the `distance`-th word that follows it, or before the full stop if that comes first."""
    forms = base_forms()
    markers: dict[int, list[str]] = {}
    words = []
    for at, (word, tag) in enumerate(zip(sentence.words, sentence.tags)):
        if tag in MARKERS:
            place = min(at + distance, len(sentence) - 2)
            markers.setdefault(place, []).append(MARKERS[tag])
            word = forms.get(word.lower(), word)
        words.append(word)
    out = []
    for at, word in enumerate(words):
        out += [word, *markers.get(at, [])]
    return out


@register("no_hop", "hop")
def no_hop(sentence: Sentence) -> list[str]:
    return hop(sentence, 0)


@register("word_hop", "hop")
def word_hop(sentence: Sentence) -> list[str]:
    return hop(sentence, 4)
