# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Settings of an experiment, from a small YAML file of plain values and lists."""

from dataclasses import dataclass, fields
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """What a run of predict.py depends on."""

    method: str = "datamodel"
    """datamodel, lasso or influence"""
    strengths: tuple[float, ...] = (0.3, 1, 3, 10, 30, 100, 300, 1000)
    """Penalties that a datamodel may choose from."""
    size_term: bool = True
    """Whether the size of a subset has a weight of its own in a datamodel."""
    ridge: float = 3.0
    """Ridge of the plain pipeline behind influences."""
    calibrate: bool = True
    """Whether influences are fitted to the record by a line per test row."""


def _value(text: str) -> object:
    if text.startswith("["):
        return tuple(float(part) for part in text.strip("[]").split(","))
    if text in ("true", "false"):
        return text == "true"
    try:
        return float(text)
    except ValueError:
        return text


def load_settings(path: Path) -> Settings:
    """Read settings; unknown names are refused."""
    lines = [line.split("#")[0].strip() for line in path.read_text().splitlines()]
    values = {name.strip(): _value(text.strip()) for name, _, text in (line.partition(":") for line in lines if line)}
    known = {field.name for field in fields(Settings)}
    unknown = sorted(set(values) - known)
    if unknown:
        raise ValueError(f"unknown settings {', '.join(unknown)}; known are {', '.join(sorted(known))}")
    return Settings(**values)
