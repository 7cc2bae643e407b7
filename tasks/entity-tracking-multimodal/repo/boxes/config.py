# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Settings of an evaluation, read from a YAML file."""

from dataclasses import dataclass, fields
from pathlib import Path

import torch
import yaml


@dataclass(frozen=True)
class EvalConfig:
    data: Path
    checkpoints: Path
    output: Path
    demonstrations: int
    """Worked scenarios in front of the one to be solved."""
    max_new_tokens: int
    """Room for the answer. It counts against the model's position limit."""
    batch_size: int
    dtype: torch.dtype


def load_config(path: Path) -> EvalConfig:
    values = yaml.safe_load(path.read_text())
    unknown = set(values) - {field.name for field in fields(EvalConfig)}
    if unknown:
        raise ValueError(f"{path}: unknown settings {sorted(unknown)}")
    for name in ("data", "checkpoints", "output"):
        values[name] = Path(values[name])
    values["dtype"] = getattr(torch, values["dtype"])
    return EvalConfig(**values)
