"""GPUs of this machine: which there are, which of them we may use, and the devices that a sandbox must show for them.

`CUDA_VISIBLE_DEVICES` is honoured as whoever started us meant it: a scheduler that gives a job one GPU of eight. Of what it leaves,
a job leases what it needs, so that two jobs on one machine never share a GPU: each is a file lock, held by the process that runs
the job and gone with it. Inside a sandbox a GPU is named by its UUID: an index there would count only the devices that are shown.
"""

import os
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from rexbench.errors import SystemFault

DRIVER = Path("/proc/driver/nvidia/gpus")
_PAUSE = 0.5
_SHARED = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset")


@dataclass(frozen=True)
class Gpu:
    """One GPU."""

    uuid: str
    minor: int
    """It is the device /dev/nvidia<minor>."""
    model: str
    """As the driver names it, such as NVIDIA H100 80GB HBM3."""


def installed_gpus() -> list[Gpu]:
    """The GPUs that we can open, in the order of their places on the bus."""
    found = []
    for path in sorted(DRIVER.glob("*/information")):
        told = path.read_text(errors="replace")
        uuid, minor = re.search(r"GPU UUID:\s*(\S+)", told), re.search(r"Device Minor:\s*(\d+)", told)
        model = re.search(r"Model:[ \t]*(.*\S)", told)
        if uuid and minor and _opens(Path(f"/dev/nvidia{minor.group(1)}")):
            found.append(Gpu(uuid.group(1), int(minor.group(1)), model.group(1) if model else ""))
    return found


class Gpus:
    """The GPUs that we may use, and their leases."""

    def __init__(self, visible: str | None, locks: Path) -> None:
        """`visible` is CUDA_VISIBLE_DEVICES as it was at the edge (None: all); all benches of a user share the folder `locks`."""
        self._visible, self._locks = visible, locks

    def usable(self) -> list[Gpu]:
        """Those that `CUDA_VISIBLE_DEVICES` leaves us; all where it says nothing."""
        there = installed_gpus()
        if self._visible is None:
            return there
        found: list[Gpu] = []
        for part in (part.strip() for part in self._visible.split(",")):
            if part.isdigit():
                named = there[int(part) : int(part) + 1]
            else:
                named = [gpu for gpu in there if part.startswith("GPU-") and gpu.uuid.startswith(part)]
            if not named:
                break  # as CUDA itself: what follows a name that means nothing is not visible
            found += named
        return found

    def models(self, count: int) -> tuple[str, ...]:
        """Models of the GPUs that a job which asks for this many is shown; fewer where there are not enough, which fails later."""
        return tuple(gpu.model for gpu in self.usable()[:count]) if count else ()

    @contextmanager
    def leased(self, count: int, seconds: float = 86_400.0) -> Iterator[tuple[Gpu, ...]]:
        """That many GPUs for us alone; waits until they are free. None asked for: nothing is looked at."""
        if not count:
            yield ()
            return
        usable = self.usable()
        if len(usable) < count:  # waiting helps nothing
            raise SystemFault(f"The job needs {count} GPUs and {len(usable)} can be used here; run it on a machine that has them.")
        with ExitStack() as held:
            yield self._lease(usable, count, seconds, held)

    def _lease(self, usable: list[Gpu], count: int, seconds: float, held: ExitStack) -> tuple[Gpu, ...]:
        """All or none: whoever holds one of two GPUs and waits for the other keeps everybody waiting."""
        self._locks.mkdir(mode=0o700, exist_ok=True)
        deadline = time.monotonic() + seconds
        while True:
            with ExitStack() as tried:
                leased = []
                for gpu in usable:
                    lock = FileLock(self._locks / f"{gpu.uuid}.lock")
                    try:
                        tried.enter_context(lock.acquire(timeout=0))
                    except Timeout:
                        continue
                    leased.append(gpu)
                    if len(leased) == count:
                        held.push(tried.pop_all())
                        return tuple(leased)
            if time.monotonic() > deadline:
                raise SystemFault(f"No {count} GPUs became free within {seconds / 3600:.1f} hours.")
            time.sleep(_PAUSE)


def device_files(gpus: tuple[Gpu, ...]) -> list[Path]:
    """The devices that a program needs to use these GPUs and no others."""
    names = [*_SHARED, *(f"nvidia{gpu.minor}" for gpu in gpus)] if gpus else []
    return [path for path in (Path("/dev", name) for name in names) if path.exists()]


def _opens(device: Path) -> bool:
    """A scheduler may keep a device from us though the driver lists it."""
    try:
        os.close(os.open(device, os.O_RDWR))
    except OSError:
        return False
    return True
