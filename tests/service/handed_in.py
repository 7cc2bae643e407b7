"""Archives as `rexbench submit pack` makes them, without a campaign before; and as nobody should."""

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any

from rexbench.interop.archive import add_member
from rexbench.interop.submission import FORMAT


def write_archive(path: Path, files: dict[str, bytes], manifest: dict[str, Any] | None = None) -> Path:
    """An archive of these files, with a manifest that agrees with them; `manifest` changes what it says."""
    listed = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    told = {"format": FORMAT, "rexbench": "0", "packed_at": "", "agents": [], "tasks": {}, "files": listed} | (manifest or {})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            add_member(archive, name, content)
        add_member(archive, "manifest.json", json.dumps(told))
    return path


def patches(agent: str, task: str, contents: list[bytes], told: dict[str, Any] | None = None) -> dict[str, bytes]:
    """The files of an agent's runs on a task."""
    found: dict[str, bytes] = {}
    for number, content in enumerate(contents, 1):
        found[f"runs/{agent}/{task}/none/{number}/patch.diff"] = content
        if told:
            found[f"runs/{agent}/{task}/none/{number}/agent.json"] = json.dumps(told).encode()
    return found
