# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Reading the splits. Needs nothing but the standard library, so that scoring starts at once.

The logical forms of test and gen are kept apart from their sentences, in truth/: no model needs them.
"""

import csv
from dataclasses import dataclass, replace
from pathlib import Path

SPLITS = ("train", "dev", "test", "gen")


@dataclass(frozen=True)
class Example:
    id: str
    sentence: list[str]
    logical_form: list[str] | None
    """None in test and gen, see `with_forms`."""
    type: str


def read_split(folder: Path, split: str) -> list[Example]:
    with (folder / f"{split}.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        forms = "logical_form" in (rows.fieldnames or ())
        return [
            Example(row["id"], row["sentence"].split(), row["logical_form"].split() if forms else None, row["type"]) for row in rows
        ]


def with_forms(examples: list[Example], truth: Path, split: str) -> list[Example] | None:
    """The examples of a split with the logical forms of truth/; None where these are not there."""
    path = truth / f"{split}.tsv"
    if all(example.logical_form is not None for example in examples):
        return examples
    if not path.exists():
        return None
    with path.open(encoding="utf-8", newline="") as file:
        forms = {row["id"]: row["logical_form"].split() for row in csv.DictReader(file, delimiter="\t")}
    return [replace(example, logical_form=forms[example.id]) for example in examples]
