# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Settings of an identification, read from a YAML file."""

from dataclasses import dataclass, fields
from pathlib import Path

import yaml


@dataclass(frozen=True)
class Settings:
    """What can be set; the defaults are those of the baseline."""

    degree: int = 3
    """Highest degree of the polynomial library."""
    frequencies: tuple[float, ...] = ()
    """Frequencies of sines and cosines of the state, none by default."""
    form: str = "strong"
    """`strong` (slopes at the samples) or `weak` (integrals against bumps)."""
    derivative: str = "finite_difference"
    """How slopes are taken in the strong form: `finite_difference` or `spline`."""
    width: float = 1.5
    """Half width of the bumps of the weak form."""
    thresholds: tuple[float, ...] = (0.1,)
    """Thresholds that are tried; the information criterion chooses among several."""
    ridge: float = 0.0
    """Penalty on squared coefficients."""
    models: int = 1
    """Number of bootstrap fits; more than one gives ensemble SINDy."""
    step: float = 0.02
    """Step of the integration of a forecast."""
    seed: int = 0


def load_settings(path: Path) -> Settings:
    """Settings of a file; a key that is not a setting is an error."""
    values = yaml.safe_load(path.read_text()) or {}
    known = {field.name for field in fields(Settings)}
    unknown = sorted(set(values) - known)
    if unknown:
        raise ValueError(f"{path}: unknown settings {', '.join(unknown)}; known are {', '.join(sorted(known))}")
    return Settings(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})
