"""Finding what a killed or interrupted program left running."""

import time
from contextlib import suppress
from pathlib import Path


def processes_of(home: Path) -> list[str]:
    """Command lines of processes that work for this home: by their environment, their arguments, or what is mounted for them."""
    mark = str(home).encode()
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError):
            if entry.joinpath("stat").read_text().rpartition(")")[2].split()[0] == "Z":
                continue
            if any(mark in (entry / name).read_bytes() for name in ("environ", "cmdline", "mountinfo")):
                found.append(f"{entry.name} {(entry / 'cmdline').read_bytes().replace(bytes(1), b' ').decode(errors='replace')}")
    return found


def wait_until_gone(home: Path, seconds: float = 10) -> list[str]:
    """What is still alive after at most this long."""
    deadline = time.monotonic() + seconds
    while (alive := processes_of(home)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return alive
