# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""From sentences to predicted logical forms."""

import csv
from pathlib import Path

from cogs.data import EOS, Vocabulary, pad
from cogs.examples import Example
from cogs.model import Parser

BATCH = 120


def parse(model: Parser, vocabulary: Vocabulary, examples: list[Example]) -> list[list[str]]:
    """The greedy logical form of every example, in the given order. Sentences of like length go through together."""
    order = sorted(range(len(examples)), key=lambda at: len(examples[at].sentence))
    forms: dict[int, list[str]] = {}
    for start in range(0, len(order), BATCH):
        chosen = order[start : start + BATCH]
        source = pad([[*vocabulary.encode(examples[at].sentence), EOS] for at in chosen])
        for at, ids in zip(chosen, model.greedy(source).tolist(), strict=True):
            forms[at] = vocabulary.decode(ids)
    return [forms[at] for at in range(len(examples))]


def write_predictions(path: Path, examples: list[Example], forms: list[list[str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(["id", "prediction"])
        writer.writerows([example.id, " ".join(form)] for example, form in zip(examples, forms, strict=True))
