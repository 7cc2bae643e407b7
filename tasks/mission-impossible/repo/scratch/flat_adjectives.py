# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Unfinished: French-like adjective order from tags alone. Not registered.

Looks for DT JJ NN in the flat tag sequence. Given up: now and then the three words do not belong to one phrase ("gives the
poor apples"), and stacked adjectives came out differently every time I changed the pattern.
"""

from impossible.treebank import Sentence


def noun_first(sentence: Sentence) -> list[str]:
    words = list(sentence.words)
    at = 0
    while at + 2 < len(words):
        if sentence.tags[at : at + 2] == ("DT", "JJ") and sentence.tags[at + 2] in ("NN", "NNS"):
            words[at + 1], words[at + 2] = words[at + 2], words[at + 1]
            at += 2
        at += 1
    return words
