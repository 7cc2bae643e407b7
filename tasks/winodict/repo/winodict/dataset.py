# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Fill the gaps of the items with invented words."""

import json
import random
from pathlib import Path

from winodict.config import Config
from winodict.inflection import regular_form
from winodict.items import Item, Problem, clashes, load_items, load_words
from winodict.prompts import definition_sentence
from winodict.synthetic import TrigramChain

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")


def synthetic_problem(item: Item, chain: TrigramChain, seed: int) -> Problem:
    """Every item has its own generator, so its word does not depend on the other items."""
    rng = random.Random(f"{seed}:synthetic:{item.id}")
    while True:
        lemma = chain.draw(rng)
        form = regular_form(lemma, item.tag)
        if not clashes(item, lemma, form):
            return Problem(item, lemma, form)


def synthetic_problems(config: Config) -> list[Problem]:
    chain = TrigramChain(word for pos in PARTS_OF_SPEECH for word in load_words(config.data, pos))
    return [synthetic_problem(item, chain, config.seed) for item in load_items(config.data)]


def write_dataset(problems: list[Problem], path: Path) -> None:
    """One JSON object per problem; the gap for the option stays open."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for problem in problems:
            item = problem.item
            row = {
                "id": item.id,
                "pos": item.pos,
                "tag": item.tag,
                "lemma": problem.lemma,
                "form": problem.form,
                "sentence": item.sentence.replace("{word}", problem.form),
                "definition": definition_sentence(problem),
            }
            file.write(json.dumps(row) + "\n")
