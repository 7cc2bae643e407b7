# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Settings: config.yaml, with each scorer's own block laid over the common ones."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml


@dataclass(frozen=True)
class EncoderSettings:
    width: int
    max_length: int


@dataclass(frozen=True)
class TrainingSettings:
    epochs: int
    batch_size: int
    learning_rate: float
    momentum: float
    weight_decay: float


@dataclass(frozen=True)
class Settings:
    data: Path
    truth: Path
    """The writers' own verdicts; need not be there."""
    predictions: Path
    results: Path
    seeds: tuple[int, ...]
    encoder: EncoderSettings
    training: TrainingSettings


def load_settings(scorer: str, path: str | Path = "config.yaml", seed_shift: int = 0) -> Settings:
    """The settings that hold for one scorer."""
    raw = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    own = (raw.pop("scorers", None) or {}).get(scorer) or {}
    merged = _lay_over(raw, own)
    return Settings(
        data=Path(merged["data"]),
        truth=Path(merged["truth"]),
        predictions=Path(merged["predictions"]),
        results=Path(merged["results"]),
        seeds=tuple(seed + 100 * seed_shift for seed in merged["seeds"]),
        encoder=EncoderSettings(**merged["encoder"]),
        training=TrainingSettings(**merged["training"]),
    )


def _lay_over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    unknown = set(above) - set(below)
    if unknown:
        raise KeyError(f"config.yaml: no such setting: {', '.join(sorted(unknown))}")
    merged = dict(below)
    for name, value in above.items():
        merged[name] = _lay_over(below[name], value) if isinstance(value, dict) else value
    return merged
