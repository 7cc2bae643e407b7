# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Settings of a localisation, read from a YAML file."""

from dataclasses import dataclass, fields
from pathlib import Path

import yaml


@dataclass(frozen=True)
class Settings:
    """What can be set; the defaults are those of the baseline."""

    method: str = "delays"
    """`delays` (pairwise delays and least squares), `response` (steered response) or `subspace` (MUSIC)."""
    weighting: str = "phat"
    """Of the cross-spectra: `none`, `roth`, `scot` or `phat`."""
    step: float = 0.5
    """Metres between points of the first lattice."""


def load_settings(path: Path) -> Settings:
    """Settings of a file; a key that is not a setting is an error."""
    values = yaml.safe_load(path.read_text()) or {}
    known = {field.name for field in fields(Settings)}
    unknown = sorted(set(values) - known)
    if unknown:
        raise ValueError(f"{path}: unknown settings {', '.join(unknown)}; known are {', '.join(sorted(known))}")
    return Settings(**values)
