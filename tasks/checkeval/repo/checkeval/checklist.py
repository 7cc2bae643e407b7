# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Checklists: the yes/no questions of one dimension, as they were put to the judge."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml


@dataclass(frozen=True)
class Question:
    number: int
    """Position in the prompt; the judge refers to the question by it."""
    aspect: str
    text: str
    favourable: str
    """The answer that speaks for the summary: "yes", or "no" for a question that asks for a defect."""
    kept: bool
    """False for questions that the filtering stage removed after the judge had been run."""


@dataclass(frozen=True)
class Checklist:
    dimension: str
    questions: tuple[Question, ...]

    @property
    def kept(self) -> tuple[Question, ...]:
        return tuple(question for question in self.questions if question.kept)


def load_checklist(data_dir: Path, dimension: str) -> Checklist:
    raw = yaml.safe_load((data_dir / "checklists" / f"{dimension}.yaml").read_text())
    if raw["dimension"] != dimension:
        raise ValueError(f"checklist of {dimension} says that it is of {raw['dimension']}")
    questions = []
    for entry in raw["questions"]:
        if entry["favourable"] not in ("yes", "no"):
            raise ValueError(f"{dimension} {entry['id']}: favourable answer {entry['favourable']!r}")
        questions.append(
            Question(
                number=int(entry["id"].removeprefix("Q")),
                aspect=entry["aspect"],
                text=entry["text"],
                favourable=entry["favourable"],
                kept=entry["status"] == "kept",
            )
        )
    return Checklist(dimension, tuple(questions))
