# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Settings of a probing run, read from a YAML file."""

from dataclasses import dataclass, fields
from pathlib import Path

import yaml


@dataclass(frozen=True)
class ProbeConfig:
    checkpoint: str
    train_games: str
    test_games: str
    epochs: int
    """Passes over the training positions."""
    batch: int
    """Positions per step; the incomplete batch at the end of an epoch is dropped."""
    learning_rate: float
    """Adam's rate at the first step; it falls linearly to zero over the run."""
    init_scale: float
    """Standard deviation of the initial weights."""


def load_config(path: Path) -> ProbeConfig:
    values = yaml.safe_load(path.read_text())
    known = {field.name for field in fields(ProbeConfig)}
    unknown = sorted(set(values) - known)
    if unknown:
        raise ValueError(f"{path}: unknown setting {', '.join(unknown)}")
    return ProbeConfig(**values)
