# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Settings of an experiment, from a YAML file."""

from dataclasses import dataclass, fields
from pathlib import Path

import yaml


@dataclass(frozen=True)
class Config:
    data: Path = Path("data")
    results: Path = Path("results")
    checkpoint: Path = Path("checkpoints/model.safetensors")
    vocabulary: Path = Path("checkpoints/vocabulary.txt")
    template: str = "first_def"
    """Where the definition stands: first_def, last_def or no_def."""
    shots: int = 0
    """Solved problems in front of the query."""
    exclude: str = "item"
    """Which problems are no demonstrations for a query: the item itself, or its whole pair."""
    seed: int = 0
    batch: int = 16


def load_config(path: Path) -> Config:
    """Keys that are not settings are errors; paths are relative to the working directory."""
    raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    known = {field.name: field for field in fields(Config)}
    unknown = sorted(set(raw) - set(known))
    if unknown:
        raise ValueError(f"{path}: unknown settings {', '.join(unknown)}")
    values = {name: Path(value) if isinstance(getattr(Config, name), Path) else value for name, value in raw.items()}
    return Config(**values)
