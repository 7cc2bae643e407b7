# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Invented words: a letter-trigram chain over the word lists makes strings that look English and are not in them."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable

START, END = "^", "$"
SHORTEST, LONGEST = 4, 8


class TrigramChain:
    """Letters drawn given the two letters before them, with the frequencies of the words it was built from."""

    def __init__(self, words: Iterable[str]) -> None:
        self.known = set(words)
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for word in sorted(self.known):
            letters = START * 2 + word + END
            for at in range(2, len(letters)):
                counts[letters[at - 2 : at]][letters[at]] += 1
        self.next_letters = {pair: sorted(counter.items()) for pair, counter in counts.items()}

    def draw(self, rng: random.Random) -> str:
        """One word of 4 to 8 letters that is not in the lists."""
        while True:
            word = self._walk(rng)
            if SHORTEST <= len(word) <= LONGEST and word not in self.known:
                return word

    def _walk(self, rng: random.Random) -> str:
        letters = START * 2
        while len(letters) < LONGEST + 3:
            options = self.next_letters[letters[-2:]]
            letter = rng.choices([o for o, _ in options], weights=[n for _, n in options])[0]
            if letter == END:
                break
            letters += letter
        return letters[2:]
