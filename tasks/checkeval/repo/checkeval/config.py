# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Settings of a run: dataclasses filled from a YAML file."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import yaml


@dataclass(frozen=True)
class AggregationConfig:
    missing: str = "zero"
    """What an unanswered question counts as: "zero", "own_mean" or "question_mean"."""
    min_answered: float = 0.0
    """A summary with a smaller share of answered questions counts as refused and gets no score."""
    decimals: int = 6
    """Scores are rounded to this many decimals before anything else is done with them."""


@dataclass(frozen=True)
class HumanConfig:
    group: str = "all"
    """Whose ratings are averaged: "expert", "crowd" or "all"."""


@dataclass(frozen=True)
class CorrelationConfig:
    level: str = "corpus"
    """"document": over the systems of a document, then averaged; "system": over system means; "corpus": over all summaries."""
    min_systems: int = 3
    """Documents with fewer scored systems are skipped at document level."""


@dataclass(frozen=True)
class Config:
    dimensions: tuple[str, ...]
    data_dir: Path = Path("data")
    results_dir: Path = Path("results")
    aggregation: AggregationConfig = field(default_factory=AggregationConfig)
    human: HumanConfig = field(default_factory=HumanConfig)
    correlation: CorrelationConfig = field(default_factory=CorrelationConfig)


SECTIONS = {"aggregation": AggregationConfig, "human": HumanConfig, "correlation": CorrelationConfig}


def load_config(path: str | Path) -> Config:
    raw: dict[str, Any] = yaml.safe_load(Path(path).read_text())
    known = {f.name for f in fields(Config)}
    unknown = sorted(set(raw) - known)
    if unknown:
        raise ValueError(f"{path}: unknown settings {unknown}")
    values: dict[str, Any] = {}
    for name, value in raw.items():
        if name in SECTIONS:
            values[name] = SECTIONS[name](**value)
        elif name == "dimensions":
            values[name] = tuple(value)
        else:
            values[name] = Path(value)
    return Config(**values)
