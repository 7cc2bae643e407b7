# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""From sentences to predicted logical forms."""

import csv
from pathlib import Path

from cogs.data import Example, Vocabulary, tensors, trim
from cogs.model import Parser

BATCH = 120


def parse(model: Parser, vocabulary: Vocabulary, examples: list[Example]) -> list[list[str]]:
    """The greedy logical form of every example, in the given order."""
    source = tensors(examples, vocabulary).source
    forms: list[list[str]] = []
    for at in range(0, len(examples), BATCH):
        ids = model.greedy(trim(source[at : at + BATCH]))
        forms += [vocabulary.decode(row) for row in ids.tolist()]
    return forms


def write_predictions(path: Path, examples: list[Example], forms: list[list[str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(["id", "prediction"])
        writer.writerows([example.id, " ".join(form)] for example, form in zip(examples, forms, strict=True))
