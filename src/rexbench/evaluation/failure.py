"""Naming why an experiment failed, from its last words. A label for people and statistics; it never decides an outcome."""

import re
from dataclasses import dataclass

from rexbench.sandbox.protocol import WORKSPACE, Finished

_EXCEPTION = re.compile(r"^(?:\w+\.)*([A-Z]\w*(?:Error|Exception|Interrupt|Exit|Warning|Iteration|Limit|Group))(?::|$)")
_FRAME = re.compile(r'^\s+File "([^"]+)", line (\d+)(?:, in (\S+))?')
_LIMIT_NAMES = {"memory": "MemoryLimit", "processes": "ProcessLimit", "disk": "DiskLimit", "output": "OutputLimit"}


@dataclass(frozen=True)
class Failure:
    """What went wrong, as far as can be told."""

    exception: str
    frame: str | None
    detail: str


def name_failure(finished: Finished, entry: str, entry_exists: bool) -> Failure:
    """A class, the last frame in the tree's code, and one sentence."""
    if finished.stopped_by in _LIMIT_NAMES:
        return Failure(_LIMIT_NAMES[finished.stopped_by], None, f"the run passed its {finished.stopped_by} limit")
    if not entry_exists:
        return Failure("MissingEntry", None, f"{entry} does not exist in the patched tree")
    lines = finished.stderr.decode(errors="replace").splitlines()
    named = next(((at, found.group(1)) for at in range(len(lines) - 1, -1, -1) if (found := _EXCEPTION.match(lines[at]))), None)
    if named:
        at, exception = named
        return Failure(exception, _last_frame(lines[:at]), lines[at].strip()[:300])
    if finished.status == 127:
        return Failure("CommandNotFound", None, (lines[-1] if lines else "a command was not found")[:300])
    if finished.status is not None and finished.status > 128:
        return Failure("Signal", None, f"ended by signal {finished.status - 128}")
    return Failure("NonZeroExit", None, f"ended with status {finished.status}" + (f": {lines[-1][:200]}" if lines else ""))


def _last_frame(lines: list[str]) -> str | None:
    for line in reversed(lines):
        found = _FRAME.match(line)
        if found and found.group(1).startswith(WORKSPACE + "/"):
            file = found.group(1).removeprefix(WORKSPACE + "/")
            return f"{file}:{found.group(2)}" + (f" in {found.group(3)}" if found.group(3) else "")
        if line.startswith("Traceback "):
            return None
    return None
