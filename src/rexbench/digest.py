"""Digests of what determines a result: bytes, values and trees of files."""

import hashlib
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any


def digest_bytes(data: bytes) -> str:
    """SHA-256 as hexadecimal text."""
    return hashlib.sha256(data).hexdigest()


def digest_value(value: Any) -> str:
    """Digest of a JSON-like value; equal values have equal digests whatever the order of their keys."""
    return digest_bytes(json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode())


def digest_tree(root: Path, keep: Callable[[str], bool] = lambda path: True) -> str:
    """Digest of names, executable bits, link targets and contents below `root`, of the paths that `keep` accepts."""
    return digest_value([(path, kind, digest_bytes(content)) for path, kind, content in walk_tree(root, keep)])


def walk_tree(root: Path, keep: Callable[[str], bool] = lambda path: True) -> list[tuple[str, str, bytes]]:
    """(path, "file" | "executable" | "link", content) of the kept files below `root`, by path; links are never followed."""
    found: list[tuple[str, str, bytes]] = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name != "__pycache__"]
        links = [name for name in folders if Path(folder, name).is_symlink()]
        for name in files + links:
            path = Path(folder, name)
            relative = path.relative_to(root).as_posix()
            if not keep(relative):
                continue
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                found.append((relative, "link", os.fsencode(path.readlink())))
            elif stat.S_ISREG(mode):
                found.append((relative, "executable" if mode & 0o111 else "file", path.read_bytes()))
    return sorted(found)
