# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The languages: each is a name and a function from a sentence of the corpus to a list of tokens.

A module registers its languages when it is imported, so a new module has to be imported at the bottom of this file.
"""

from collections.abc import Callable
from dataclasses import dataclass

from impossible.treebank import Sentence

Perturbation = Callable[[Sentence], list[str]]


@dataclass(frozen=True)
class Language:
    name: str
    family: str
    perturb: Perturbation
    keep: Callable[[Sentence], bool]
    """Sentences for which this is false are left out of every split of the language."""


LANGUAGES: dict[str, Language] = {}


def keep_all(sentence: Sentence) -> bool:
    return True


def register(name: str, family: str, keep: Callable[[Sentence], bool] = keep_all) -> Callable[[Perturbation], Perturbation]:
    def add(perturb: Perturbation) -> Perturbation:
        if name in LANGUAGES:
            raise ValueError(f"language {name} is registered twice")
        LANGUAGES[name] = Language(name, family, perturb, keep)
        return perturb

    return add


def get_language(name: str) -> Language:
    if name not in LANGUAGES:
        raise SystemExit(f"unknown language {name!r}; known: {', '.join(sorted(LANGUAGES))}")
    return LANGUAGES[name]


@register("control", "control")
def control(sentence: Sentence) -> list[str]:
    return list(sentence.words)


from impossible.languages import hop, reverse, shuffle  # noqa: E402, F401
