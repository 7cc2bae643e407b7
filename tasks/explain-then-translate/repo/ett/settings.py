# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""config/posthoc.yaml: cut-offs and the values of k that are reported."""

from dataclasses import dataclass, field
from pathlib import Path

import yaml


@dataclass(frozen=True)
class Settings:
    ks: tuple[int, ...]
    thresholds: dict[str, float]
    """Cut-off per heuristic."""
    pair_thresholds: dict[str, float] = field(default_factory=dict)
    """Cut-off per language pair, tuned by hand on the development half."""

    def threshold_for(self, pair: str, heuristic: str, flag: float | None) -> float:
        if pair in self.pair_thresholds:
            return self.pair_thresholds[pair]
        if flag is not None:
            return flag
        if heuristic not in self.thresholds:
            raise SystemExit(f"no threshold for {heuristic!r}: give --threshold or add it to the config")
        return self.thresholds[heuristic]


def load_settings(path: Path) -> Settings:
    raw = yaml.safe_load(path.read_text())
    return Settings(
        ks=tuple(raw["ks"]),
        thresholds={name: float(entry["threshold"]) for name, entry in raw["heuristics"].items()},
        pair_thresholds={pair: float(entry["threshold"]) for pair, entry in (raw.get("pairs") or {}).items()},
    )
