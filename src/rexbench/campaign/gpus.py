"""A lease of GPUs for a step, so that two steps on one machine never share one.

Each GPU is a file lock under the machine's temporary folder, held by the process that does the step and gone with it. The lease
narrows `CUDA_VISIBLE_DEVICES` to what was leased; the sandbox shows that and nothing else.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from rexbench.errors import SystemFault
from rexbench.sandbox.gpus import Gpu, take_gpus, usable_gpus

_PAUSE = 0.5


@contextmanager
def leased_gpus(count: int, seconds: float = 86_400.0) -> Iterator[list[Gpu]]:
    """That many GPUs for us alone; waits until they are free. None asked for: nothing is looked at."""
    if not count:
        yield []
        return
    take_gpus(count)  # waiting helps nothing where there are too few
    before = os.environ.get("CUDA_VISIBLE_DEVICES")
    with ExitStack() as held:
        leased = _lease(usable_gpus(), count, seconds, held)
        os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(gpu.uuid for gpu in leased)
        try:
            yield leased
        finally:
            if before is None:
                del os.environ["CUDA_VISIBLE_DEVICES"]
            else:
                os.environ["CUDA_VISIBLE_DEVICES"] = before


def _lease(usable: list[Gpu], count: int, seconds: float, held: ExitStack) -> list[Gpu]:
    """All or none: whoever holds one of two GPUs and waits for the other keeps everybody waiting."""
    folder = Path(tempfile.gettempdir(), f"rexbench-gpus-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    deadline = time.monotonic() + seconds
    while True:
        with ExitStack() as tried:
            leased = []
            for gpu in usable:
                lock = FileLock(folder / f"{gpu.uuid}.lock")
                try:
                    tried.enter_context(lock.acquire(timeout=0))
                except Timeout:
                    continue
                leased.append(gpu)
                if len(leased) == count:
                    held.push(tried.pop_all())
                    return leased
        if time.monotonic() > deadline:
            raise SystemFault(f"No {count} GPUs became free within {seconds / 3600:.1f} hours.")
        time.sleep(_PAUSE)
