# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The reverse family. The full stop stays where it is: it would give the direction away."""

import random
import zlib

from impossible.languages import register
from impossible.treebank import Sentence


@register("reverse_full", "reverse")
def reverse_full(sentence: Sentence) -> list[str]:
    return [*reversed(sentence.words[:-1]), sentence.words[-1]]


@register("reverse_partial", "reverse")
def reverse_partial(sentence: Sentence) -> list[str]:
    """Reversed from a random point on."""
    body = list(sentence.words[:-1])
    cut = random.Random(zlib.crc32(sentence.id.encode())).randrange(len(body))
    return [*body[:cut], *reversed(body[cut:]), sentence.words[-1]]
