"""Run details, packed so that a thousand of them fit into a file that can be mailed.

Runs of the same task lie together, because their patches and prompts resemble each other; a bundle of them is JSON, deflated, in
base64, and is unpacked by the page when one of its runs is opened.
"""

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Any

from rexbench.record.store import Store
from rexbench.report.reading import ReportedRun
from rexbench.report.run_details import ROOMS, Room, read_run_files, run_detail

_BUNDLE = 24
"""Runs that are unpacked together."""
_SAMPLED = 4


def pack_runs(entries: Sequence[ReportedRun], store: Store, most_bytes: int) -> list[str]:
    """Bundles of `_BUNDLE` runs each, in the order given, as generous as `most_bytes` allow."""
    files = [read_run_files(entry, store) for entry in entries]

    def bundle(start: int, room: Room) -> str:
        part = range(start, min(start + _BUNDLE, len(entries)))
        return _pack([run_detail(entries[at], files[at], room) for at in part])

    starts = range(0, len(entries), _BUNDLE)
    sample = starts[:: max(1, len(starts) // _SAMPLED)]
    for room in ROOMS:
        expected = sum(len(bundle(start, room)) for start in sample) / len(sample) * len(starts)
        if expected <= 0.95 * most_bytes:
            packed = [bundle(start, room) for start in starts]
            if sum(map(len, packed)) <= most_bytes:
                return packed
    return [bundle(start, ROOMS[-1]) for start in starts]


def bundle_of(position: int) -> tuple[int, int]:
    """Which bundle holds a run, and where in it."""
    return divmod(position, _BUNDLE)


def _pack(details: list[dict[str, Any]]) -> str:
    return base64.b64encode(zlib.compress(json.dumps(details, separators=(",", ":")).encode(), 9)).decode()
