# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Settings: a YAML file, the file it inherits from, and overrides from the command line (strongest last)."""

from pathlib import Path
from typing import Any

import yaml


def load_config(path: Path, overrides: list[str]) -> dict[str, Any]:
    """Read `path`; a key `inherit` names a file in the same folder whose settings come first."""
    settings = yaml.safe_load(path.read_text(encoding="utf-8"))
    parent = settings.pop("inherit", None)
    config = load_config(path.parent / parent, []) if parent else {}
    config.update(settings)
    for override in overrides:
        key, _, value = override.partition("=")
        if key not in config:
            raise SystemExit(f"unknown setting {key!r}; known: {', '.join(sorted(config))}")
        config[key] = yaml.safe_load(value)
    return config
