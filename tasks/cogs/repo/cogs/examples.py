# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Reading the splits. Needs nothing but the standard library, so that scoring starts at once."""

import csv
from dataclasses import dataclass
from pathlib import Path

SPLITS = ("train", "dev", "test", "gen")


@dataclass(frozen=True)
class Example:
    id: str
    sentence: list[str]
    logical_form: list[str]
    type: str


def read_split(folder: Path, split: str) -> list[Example]:
    with (folder / f"{split}.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return [Example(row["id"], row["sentence"].split(), row["logical_form"].split(), row["type"]) for row in rows]
