"""What an agent had in its tree at stated minutes, taken without stopping it, so that one run tells how its score grew.

A capture is a patch like any other and is judged afterwards, if at all. It is taken in a thread of ours beside the supervision of
the run; a tree that is being written to may give a patch that does not work, which is what an agent that is interrupted leaves.
All captures together take at most `SHARE` of the time that has passed.
"""

import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rexbench.errors import RexbenchError
from rexbench.places import Home
from rexbench.task.folder import Task
from rexbench.workspace.capture import capture_patch

MINUTES = (5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 320.0)
SHARE = 0.01
FOLDER = "captures"


class Captures:
    """The captures of one run. Call it often: it takes one when its time has come."""

    def __init__(self, task: Task, tree: Path, home: Home, into: Path, minutes: Sequence[float]) -> None:
        self._task, self._tree, self._home, self._into = task, tree, home, into / FOLDER
        self._due = sorted(minutes)
        self._began: float | None = None
        self._spent = 0.0
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """The program starts now."""
        self._began = time.monotonic()

    def __call__(self) -> None:
        if self._began is None or not self._due or (self._thread and self._thread.is_alive()):
            return
        passed = time.monotonic() - self._began
        if passed < 60 * self._due[0] or self._spent > SHARE * passed:
            return
        minutes = self._due.pop(0)
        self._thread = threading.Thread(target=self._take, args=(minutes,), daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Let a capture that is under way come to its end."""
        if self._thread:
            self._thread.join()

    def _take(self, minutes: float) -> None:
        since = time.monotonic()
        with suppress(RexbenchError, OSError):  # a tree that is changing underfoot, a full disk: this capture is missing, no more
            patch = capture_patch(self._task, self._tree, self._home).patch
            self._into.mkdir(exist_ok=True)
            (self._into / f"{minutes:g}.diff").write_bytes(patch)
        self._spent += time.monotonic() - since


def read_captures(attempt: Path) -> dict[float, bytes]:
    """Minutes -> patch, of the captures that an attempt has."""
    found = {}
    for path in (attempt / FOLDER).glob("*.diff"):
        try:
            found[float(path.stem)] = path.read_bytes()
        except ValueError:
            continue
    return dict(sorted(found.items()))
