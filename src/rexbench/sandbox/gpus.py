"""GPUs of this machine: which there are, which of them we may use, and the devices that a sandbox must show for them.

`CUDA_VISIBLE_DEVICES` is honoured as whoever started us meant it: a scheduler that gives a job one GPU of eight, or our own lease.
Inside a sandbox a GPU is named by its UUID: an index there would count only the devices that are shown.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from rexbench.errors import SystemFault

DRIVER = Path("/proc/driver/nvidia/gpus")
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


def usable_gpus() -> list[Gpu]:
    """Those that `CUDA_VISIBLE_DEVICES` leaves us; all where it says nothing."""
    there, chosen = installed_gpus(), os.environ.get("CUDA_VISIBLE_DEVICES")
    if chosen is None:
        return there
    found: list[Gpu] = []
    for part in (part.strip() for part in chosen.split(",")):
        if part.isdigit():
            named = there[int(part) : int(part) + 1]
        else:
            named = [gpu for gpu in there if part.startswith("GPU-") and gpu.uuid.startswith(part)]
        if not named:
            break  # as CUDA itself: what follows a name that means nothing is not visible
        found += named
    return found


def take_gpus(count: int) -> list[Gpu]:
    """As many as a job asks for; a fault of ours where there are not enough."""
    found = usable_gpus() if count else []
    if len(found) < count:
        raise SystemFault(f"The job needs {count} GPUs and {len(found)} can be used here; run it on a machine that has them.")
    return found[:count]


def gpu_models(count: int) -> tuple[str, ...]:
    """Models of the GPUs that a job which asks for this many is shown; fewer where there are not enough, which fails later."""
    return tuple(gpu.model for gpu in usable_gpus()[:count]) if count else ()


def device_files(gpus: list[Gpu]) -> list[Path]:
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
