# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The study on disk: items, annotations with reasons, and the second round's validity judgements."""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LABELS = ("Entailment", "Neutral", "Contradiction")

Pair = tuple[str, str]
"""An item and a label that somebody gave it: the unit that is right or an error."""


@dataclass(frozen=True)
class Item:
    item: str
    part: str  # "pool" or "eval"
    premise: str
    hypothesis: str


@dataclass(frozen=True)
class Annotation:
    annotation: str
    item: str
    annotator: str
    label: str
    explanation: str

    @property
    def pair(self) -> Pair:
        return self.item, self.label


@dataclass(frozen=True)
class Judgement:
    annotation: str
    judge: str
    valid: str  # "yes", "no" or "idk"


class Study:
    def __init__(self, items: Iterable[Item], annotations: Iterable[Annotation], judgements: Iterable[Judgement]):
        self.items = {item.item: item for item in items}
        # Sorted, because the files' order is arbitrary and training must not depend on it.
        self.annotations = sorted(annotations, key=lambda annotation: annotation.annotation)
        self.judgements: dict[str, list[Judgement]] = defaultdict(list)
        for judgement in judgements:
            self.judgements[judgement.annotation].append(judgement)

    def item_of(self, annotation: Annotation) -> Item:
        return self.items[annotation.item]

    def part(self, name: str) -> list[Annotation]:
        """The annotations of the pool or of the evaluation items."""
        return [annotation for annotation in self.annotations if self.item_of(annotation).part == name]

    def self_validated(self, annotation: Annotation) -> bool:
        """Whether the annotator stood by label and reason in the second round. "idk" is not standing by it."""
        own = [j.valid for j in self.judgements[annotation.annotation] if j.judge == annotation.annotator]
        if len(own) != 1:
            raise ValueError(f"{annotation.annotation}: {len(own)} self-judgements, expected one (only the eval part has them)")
        return own[0] == "yes"

    def peer_verdicts(self, annotation: Annotation) -> list[str]:
        return [j.valid for j in self.judgements[annotation.annotation] if j.judge != annotation.annotator]

    def errors(self) -> dict[Pair, bool]:
        """For every item-label pair of the evaluation part: is it an error, i.e. stands nobody by any reason for it?"""
        stood_by: dict[Pair, bool] = {}
        for annotation in self.part("eval"):
            stood_by[annotation.pair] = stood_by.get(annotation.pair, False) or self.self_validated(annotation)
        return {pair: not ok for pair, ok in stood_by.items()}


def load_study(folder: Path, truth: Path | None = None) -> Study:
    """The study; with the folder of the writers' own verdicts it also knows which pairs are errors."""
    judged = [folder / "validity.jsonl", *([truth / "validity.jsonl"] if truth else [])]
    return Study(
        (Item(**row) for row in read_jsonl(folder / "items.jsonl")),
        (Annotation(**row) for row in read_jsonl(folder / "annotations.jsonl")),
        (Judgement(**row) for path in judged for row in read_jsonl(path)),
    )


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
