# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Arrays that are costly to make are kept under cache/ and found again by what they were made from.

Clearing the folder is always safe.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

CACHE = Path("cache")


def file_digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def cached_array(kind: str, made_from: list[str], make: Callable[[], np.ndarray]) -> np.ndarray:
    """The array `make()` returns, from disk where it was made before. `made_from` must name all that the content depends on."""
    key = hashlib.sha256("\n".join(made_from).encode()).hexdigest()[:16]
    path = CACHE / f"{kind}-{key}.npy"
    if not path.exists():
        CACHE.mkdir(exist_ok=True)
        unfinished = path.with_suffix(".tmp.npy")
        np.save(unfinished, make())
        os.replace(unfinished, path)
    return np.load(path, mmap_mode="r")
