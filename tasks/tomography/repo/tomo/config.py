# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Settings of a reconstruction, read from a YAML file."""

from dataclasses import dataclass, fields
from pathlib import Path

import yaml


@dataclass(frozen=True)
class Settings:
    """What can be set; the defaults are those of the baseline."""

    method: str = "fbp"
    """`fbp` (filtered back-projection) or `sirt` (simultaneous iterations)."""
    filter: str = "ramp"
    """Window of the ramp filter: `ramp` (none), `shepp` or `hann`."""
    cutoff: float = 1.0
    """Highest frequency that is kept, as a share of the highest there is."""
    iterations: int = 60
    """Iterations of sirt."""
    relaxation: float = 1.0
    """Step of sirt, below 2."""


def load_settings(path: Path) -> Settings:
    """Settings of a file; a key that is not a setting is an error."""
    values = yaml.safe_load(path.read_text()) or {}
    unknown = sorted(set(values) - {field.name for field in fields(Settings)})
    if unknown:
        known = ", ".join(sorted(field.name for field in fields(Settings)))
        raise ValueError(f"{path}: unknown settings {', '.join(unknown)}; known are {known}")
    return Settings(**values)
