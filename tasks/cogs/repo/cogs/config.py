# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Settings of a run.

Three sources, later ones win: the defaults below, the command line, the YAML file. The file comes last on purpose: a run that
names configs/small.yaml is then the run in our table, whatever else was typed. Flags fill in what a file leaves open.
"""

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import yaml


@dataclass(frozen=True)
class Config:
    # model
    d_model: int = 64
    heads: int = 4
    d_ff: int = 128
    layers: int = 1
    """Of the encoder and of the decoder each."""
    dropout: float = 0.1
    # optimiser
    batch_size: int = 48
    peak_rate: float = 2e-3
    clip_norm: float = 1.0
    # schedule
    warmup_steps: int = 100
    decay_until: int | str = "auto"
    """The step at which the rate reaches its floor; "auto": twice max_steps (see decay_end)."""
    floor: float = 0.05
    """The lowest rate, as a share of peak_rate."""
    # training
    max_steps: int = 600
    eval_every: int = 50
    patience: int = 4
    """Evaluations without a gain on dev after which training stops."""
    min_gain: float = 1.5
    """Points of dev accuracy that count as a gain."""
    seed: int = 0

    @property
    def decay_end(self) -> int:
        """Most runs stop long before max_steps, and none should meet the lowest rates: hence the factor 2."""
        return 2 * self.max_steps if self.decay_until == "auto" else int(self.decay_until)


SECTIONS = ("model", "optimiser", "schedule", "training")


def read_yaml(path: Path) -> dict[str, Any]:
    """The settings of a file, its sections flattened; an unknown section or key is an error."""
    document = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    known = {field.name for field in fields(Config)}
    flat: dict[str, Any] = {}
    for section, settings in document.items():
        if section not in SECTIONS:
            raise ValueError(f"{path}: unknown section {section!r}")
        for key, value in settings.items():
            if key not in known:
                raise ValueError(f"{path}: unknown key {section}.{key}")
            flat[key] = value
    return flat


def build(path: Path, flags: dict[str, Any]) -> Config:
    given = {key: value for key, value in flags.items() if value is not None}
    return Config(**{**given, **read_yaml(path)})


def save(config: Config, path: Path) -> None:
    path.write_text(json.dumps(asdict(config), indent=2) + "\n", encoding="utf-8")


def load(path: Path) -> Config:
    return Config(**json.loads(path.read_text(encoding="utf-8")))
