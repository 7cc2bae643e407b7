# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Settings of one experiment, read from a YAML file."""

from dataclasses import dataclass, fields
from pathlib import Path

import yaml


@dataclass(frozen=True)
class Settings:
    name: str
    """Folder under `results` that the experiment writes."""
    bases: tuple[int, ...]
    """Bases to run, the default base first."""
    limit: int
    """Queries per base; the comprehension check is always run whole."""
    batch_size: int
    max_new_tokens: int
    checkpoint: Path
    data: Path
    results: Path

    @property
    def out(self) -> Path:
        return self.results / self.name


def load_settings(path: Path) -> Settings:
    content = yaml.safe_load(path.read_text())
    known = {field.name for field in fields(Settings)}
    if set(content) != known:
        raise ValueError(f"{path}: keys differ from the settings: {sorted(set(content) ^ known)}")
    for name in ("checkpoint", "data", "results"):
        content[name] = Path(content[name])
    content["bases"] = tuple(content["bases"])
    return Settings(**content)
