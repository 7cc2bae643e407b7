# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What config.yaml holds."""

from dataclasses import dataclass
from pathlib import Path

import yaml


@dataclass(frozen=True)
class RuleSettings:
    eos_scale: float
    """Weight of the end-of-sequence token once `eos_range` tokens have been generated."""
    eos_range: int
    repetition_penalty: float
    """Taken off the score of every token that the response has already."""


@dataclass(frozen=True)
class DecodingSettings:
    batch_size: int
    max_new_tokens: int


@dataclass(frozen=True)
class JudgeSettings:
    steepness: float
    redundancy_weight: float
    length_weight: float


@dataclass(frozen=True)
class Settings:
    data: Path
    models: Path
    truth: Path
    """What responses are measured by; not there when a patch is judged."""
    rules: RuleSettings
    decoding: DecodingSettings
    judge: JudgeSettings


def load_settings(path: str | Path = "config.yaml") -> Settings:
    content = yaml.safe_load(Path(path).read_text())
    return Settings(
        data=Path(content["data"]),
        models=Path(content["models"]),
        truth=Path(content["truth"]),
        rules=RuleSettings(**content["rules"]),
        decoding=DecodingSettings(**content["decoding"]),
        judge=JudgeSettings(**content["judge"]),
    )
