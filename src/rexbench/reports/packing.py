"""Run details, packed so that a thousand of them fit into a file that can be mailed.

Runs of the same task lie together, because their patches and prompts resemble each other; a bundle of them is JSON, deflated, in
base64, and is unpacked by the page when one of its runs is opened.
"""

import base64
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rexbench.reports.reading import ReportedRun
from rexbench.reports.run_details import read_run_files, run_detail

_BUNDLE = 24
"""Runs that are unpacked together."""
_SAMPLED = 4
_GENEROUS, _BARE = 25.0, 0.5
"""Characters for each byte that a run may take: the most that packing ever gains, and where to stop trying less."""
_LESS = 0.8
"""The least by which the room shrinks from one trial to the next."""


def pack_runs(entries: Sequence[ReportedRun], most_bytes: int, target: Path, with_patches: bool) -> list[str]:
    """Bundles of `_BUNDLE` runs each, in the order given, as generous as `most_bytes` allow."""
    fair = most_bytes / len(entries)
    room = _GENEROUS * fair
    files = [read_run_files(entry, int(room), with_patches) for entry in entries]

    def bundle(start: int) -> str:
        part = range(start, min(start + _BUNDLE, len(entries)))
        return _pack([run_detail(entries[at], files[at].within(int(room)), target, with_patches) for at in part])

    starts = range(0, len(entries), _BUNDLE)
    sample = starts[:: max(1, len(starts) // _SAMPLED)]
    while room > _BARE * fair:
        expected = sum(len(bundle(start)) for start in sample) / len(sample) * len(starts)
        if expected <= 0.95 * most_bytes:
            packed = [bundle(start) for start in starts]
            expected = sum(map(len, packed))
            if expected <= most_bytes:
                return packed
        room *= min(_LESS, most_bytes / expected)
    return [bundle(start) for start in starts]


def bundle_of(position: int) -> tuple[int, int]:
    """Which bundle holds a run, and where in it."""
    return divmod(position, _BUNDLE)


def _pack(details: list[dict[str, Any]]) -> str:
    return base64.b64encode(zlib.compress(json.dumps(details, separators=(",", ":")).encode(), 9)).decode()
