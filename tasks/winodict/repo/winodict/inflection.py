# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Regular English endings for invented words. Penn tags; an invented word has no irregular forms."""

VOWELS = "aeiou"
SIBILANTS = ("s", "x", "z", "ch", "sh")
BASE_TAGS = ("NN", "VB", "JJ", "RB")


def regular_form(lemma: str, tag: str) -> str:
    """The form of `lemma` under a Penn tag by the spelling rules alone."""
    if tag in BASE_TAGS:
        return lemma
    if tag == "NNS":
        return _with_s(lemma)
    if tag == "VBD":
        return _with_vowel_ending(lemma, "ed")
    if tag == "VBG":
        mute = lemma.endswith("e") and not lemma.endswith("ee")
        return (lemma[:-1] if mute else _doubled(lemma)) + "ing"
    if tag == "JJR":
        return _with_vowel_ending(lemma, "er")
    raise ValueError(f"no rule for tag {tag!r}")


def _with_s(lemma: str) -> str:
    if lemma.endswith(SIBILANTS):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2:-1] not in VOWELS:
        return lemma[:-1] + "ies"
    return lemma + "s"


def _with_vowel_ending(lemma: str, ending: str) -> str:
    if lemma.endswith("e"):
        return lemma + ending[1:]
    if lemma.endswith("y") and lemma[-2:-1] not in VOWELS:
        return lemma[:-1] + "i" + ending
    return _doubled(lemma) + ending


def _doubled(lemma: str) -> str:
    """`plog` becomes `plogg`: one syllable that ends in consonant, vowel, consonant."""
    single = sum(letter in VOWELS for letter in lemma) == 1
    if single and len(lemma) > 2 and lemma[-1] not in VOWELS + "wxy" and lemma[-2] in VOWELS:
        return lemma + lemma[-1]
    return lemma
