# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The shuffle family: word order is destroyed, wholly or in part."""

import random
import zlib

from impossible.languages import register
from impossible.treebank import Sentence


def long_enough(sentence: Sentence) -> bool:
    return len(sentence) >= 3


def shuffled(words: tuple[str, ...], seed: int) -> list[str]:
    order = list(range(len(words)))
    random.Random(seed).shuffle(order)
    return [words[at] for at in order]


@register("shuffle_random", "shuffle", keep=long_enough)
def shuffle_random(sentence: Sentence) -> list[str]:
    """Another order for every sentence; the id seeds it, so that a rerun gives the same corpus."""
    return shuffled(sentence.words, zlib.crc32(sentence.id.encode()))


@register("shuffle_by_length", "shuffle", keep=long_enough)
def shuffle_by_length(sentence: Sentence) -> list[str]:
    """One fixed permutation per sentence length."""
    return shuffled(sentence.words, 21 + len(sentence))


@register("shuffle_local3", "shuffle", keep=long_enough)
def shuffle_local3(sentence: Sentence) -> list[str]:
    """One fixed permutation inside every window of three words."""
    words: list[str] = []
    for start in range(0, len(sentence), 3):
        words += shuffled(sentence.words[start : start + 3], 57)
    return words


@register("even_odd", "shuffle", keep=long_enough)
def even_odd(sentence: Sentence) -> list[str]:
    return [*sentence.words[0::2], *sentence.words[1::2]]
