"""A busy machine on demand: one processor that others are computing on."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def busy_processor(loops: int = 8) -> Iterator[None]:
    """Within this, we and whatever we start have one processor, and share it with so many busy loops."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    # Each in a session of its own: among sessions a kernel may share out processors evenly, however many compute in each.
    loop = [sys.executable, "-S", "-c", "while True: pass"]
    others = [subprocess.Popen(loop, start_new_session=True) for _ in range(loops)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()
        os.sched_setaffinity(0, before)
