# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Settings of a merge, read from a YAML file."""

from dataclasses import dataclass, fields
from pathlib import Path

import yaml


@dataclass(frozen=True)
class Settings:
    """What can be set; the defaults are those of the baseline."""

    match: bool = False
    """Whether hidden units are reordered to those of the first parent."""
    ancestor: str = "mean"
    """What stands for the common ancestor: `mean` or `median` of the parents."""
    coefficient: float = 1.0
    """How much of the sum of differences from the ancestor is added. With the mean of all, that sum is zero."""
    keep: float = 1.0
    """Share of the largest entries of each difference that is kept."""
    ties: bool = False
    """Elect a sign and average in place of the sum."""


def load_settings(path: Path) -> Settings:
    """Settings of a file; a key that is not a setting is an error."""
    values = yaml.safe_load(path.read_text()) or {}
    known = {field.name for field in fields(Settings)}
    unknown = sorted(set(values) - known)
    if unknown:
        raise ValueError(f"{path}: unknown settings {', '.join(unknown)}; known are {', '.join(sorted(known))}")
    return Settings(**values)
