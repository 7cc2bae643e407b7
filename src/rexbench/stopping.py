"""Being told to stop: processes of ours end with the one that started them, and unwind so that nothing half-done stays behind."""

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_GRACE_SECONDS = 30
"""After which a process that was told to stop, and is still there, is ended by the kernel."""
_holds = 0
_told: int | None = None


def end_with_parent(parent: int) -> None:
    """Be told to stop when the process that started us ends, however it ends; end at once where it has ended already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        os._exit(1)


def unwind_when_told() -> None:
    """On the first SIGTERM leave by an exception; later ones are not heard, they would cut short the end that they ask for."""
    signal.signal(signal.SIGTERM, _unwind)


def leave_if_told() -> None:
    """Unwind if we were told to and the exception got lost: Python drops one that is raised in a destructor, code may catch it."""
    if _told is not None:
        raise SystemExit(128 + _told)


@contextmanager
def held_together() -> Iterator[None]:
    """A block that is not cut apart: told to stop meanwhile, we unwind at its end."""
    global _holds
    _holds += 1
    try:
        yield
    finally:
        _holds -= 1
    if not _holds:
        leave_if_told()


def _unwind(number: int, frame: FrameType | None) -> None:
    global _told
    signal.signal(number, signal.SIG_IGN)
    signal.alarm(_GRACE_SECONDS)
    _told = number
    if not _holds:
        leave_if_told()
