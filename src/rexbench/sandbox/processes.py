"""What a tree of processes uses, read from /proc: for limits that no kernel mechanism holds."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from rexbench.sandbox.supervise import Usage

_PAGE = os.sysconf("SC_PAGE_SIZE")


def tree_usage(root: int, disk: int) -> Usage:
    """Of a process and all below it; what ends while we look counts as nothing.

    Files without a name count too, once each, however many processes hold them: those on the device `disk` as disk, others (memory
    files, removed files of a tmpfs) as memory.
    """
    private = shared = count = 0
    nameless: dict[tuple[int, int], int] = {}
    for pid in processes_below(root):
        with suppress(OSError, ValueError):
            _, resident, common, *_ = Path(f"/proc/{pid}/statm").read_text().split()
            count += 1
            private += int(resident) - int(common)
            shared = max(shared, int(common))
        nameless |= nameless_files(pid)
    on_disk = sum(size for (device, _), size in nameless.items() if device == disk)
    in_memory = sum(nameless.values()) - on_disk
    return Usage(((private + shared) * _PAGE + in_memory) // 2**20, count, on_disk)


def processes_below(root: int) -> list[int]:
    """A process and all its descendants."""
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        with suppress(OSError, ValueError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                waiting += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    return found


def nameless_files(pid: int) -> dict[tuple[int, int], int]:
    """(device, inode) -> bytes of files that this process holds open and that have no name any more."""
    found = {}
    with suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with suppress(OSError):
                info = os.stat(f"/proc/{pid}/fd/{name}")
                if stat.S_ISREG(info.st_mode) and info.st_nlink == 0:
                    found[info.st_dev, info.st_ino] = info.st_blocks * 512
    return found
