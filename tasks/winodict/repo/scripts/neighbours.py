# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Abandoned: new words by changing one letter of a listed word. Too many of them were other words, or could not be read aloud."""

import random
import string
import sys
from pathlib import Path

from winodict.items import load_words


def mutate(word: str, rng: random.Random) -> str:
    at = rng.randrange(len(word))
    return word[:at] + rng.choice(string.ascii_lowercase) + word[at + 1 :]


def main(pos: str) -> None:
    rng = random.Random(0)
    words = load_words(Path("data"), pos)
    for word in words[:40]:
        changed = mutate(word, rng)
        print(word, changed, "(a listed word)" if changed in words else "")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "adj")
