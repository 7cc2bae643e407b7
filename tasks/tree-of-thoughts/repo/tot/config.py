# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Settings, read from configs/*.yaml. Unknown keys are errors."""

from dataclasses import dataclass, fields
from pathlib import Path

import yaml


@dataclass(frozen=True)
class Config:
    puzzles: Path
    teacher_log: Path
    value_cache: Path
    """Stored values of the teacher, for a warm start."""
    checkpoint: Path
    results: Path
    labels: dict[str, float]
    """Worth of one vote."""
    votes: int = 3
    breadths: tuple[int, ...] = (1, 5)
    warm_start: bool = True
    seed: int = 0


def load_config(path: Path) -> Config:
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    unknown = set(content) - {field.name for field in fields(Config)}
    if unknown:
        raise ValueError(f"{path}: unknown settings {', '.join(sorted(unknown))}")
    for name in ("puzzles", "teacher_log", "value_cache", "checkpoint", "results"):
        content[name] = Path(content[name])
    if "breadths" in content:
        content["breadths"] = tuple(content["breadths"])
    return Config(**content)
