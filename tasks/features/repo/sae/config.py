# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Settings of a sparse autoencoder, read from a YAML file."""

from dataclasses import dataclass, fields
from pathlib import Path

import yaml


@dataclass(frozen=True)
class Settings:
    """What can be set; the defaults are those of the baseline."""

    latents: int = 40
    """Number of dictionary elements, at most 40."""
    steps: int = 700
    """Steps of Adam."""
    batch: int = 128
    rate: float = 0.01
    """Step size; it falls linearly to zero."""
    penalty: float = 0.04
    """Weight of the L1 norm of the codes."""
    active: int = 0
    """Keep this many codes per token (TopK) in place of the penalty; 0 for the L1 autoencoder."""
    seed: int = 0


def load_settings(path: Path) -> Settings:
    """Settings of a file; a key that is not a setting is an error."""
    values = yaml.safe_load(path.read_text()) or {}
    unknown = sorted(set(values) - {field.name for field in fields(Settings)})
    if unknown:
        raise ValueError(
            f"{path}: unknown settings {', '.join(unknown)}; known are {', '.join(field.name for field in fields(Settings))}"
        )
    return Settings(**values)
