"""Control groups, where this user may make them: the kernel then holds memory and process counts exactly.

Version 2 where the needed controllers are delegated to us, version 1 where they are mounted that way, else nothing. Which it
was stands in the record; nothing is assumed to work that was not made and written to.
"""

import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rexbench.sandbox.supervise import Usage

_ROOT = Path("/sys/fs/cgroup")
_SWAP_FILES = ("memory.memsw.limit_in_bytes", "memory.swap.max")


@dataclass(frozen=True)
class Cgroup:
    """A group of our own for one run."""

    version: int
    memory: Path
    pids: Path
    """The same folder as `memory` in version 2."""

    @property
    def folders(self) -> list[Path]:
        return sorted({self.memory, self.pids})

    def usage(self) -> Usage:
        """Resident memory, page cache left out, and the number of tasks."""
        wanted = {"anon", "shmem"} if self.version == 2 else {"total_rss", "total_shmem"}
        resident = 0
        for line in (self.memory / "memory.stat").read_text().splitlines():
            name, value = line.split()
            resident += int(value) if name in wanted else 0
        return Usage(resident // 2**20, int((self.pids / "pids.current").read_text()))

    def was_out_of_memory(self) -> bool:
        """Whether the kernel killed something in the group for its memory."""
        file = "memory.events" if self.version == 2 else "memory.oom_control"
        with suppress(OSError):
            for line in (self.memory / file).read_text().splitlines():
                name, value = line.split()
                if name == "oom_kill" and int(value) > 0:
                    return True
        return False

    def was_out_of_processes(self) -> bool:
        """Whether the kernel refused the group a process."""
        with suppress(OSError):
            return int((self.pids / "pids.events").read_text().split()[1]) > 0
        return False

    def remove(self) -> None:
        for folder in self.folders:
            with suppress(OSError):
                folder.rmdir()


def make_cgroup(memory_mb: int, processes: int) -> Cgroup | None:
    """A fresh group under our own one with these limits, or None where that cannot be had."""
    name = f"rexbench-{os.getpid()}-{secrets.token_hex(4)}"
    own = _own_groups()
    if "memory" in own and "pids" in own:
        group = Cgroup(1, _ROOT / "memory" / own["memory"] / name, _ROOT / "pids" / own["pids"] / name)
        memory_file = "memory.limit_in_bytes"
    else:
        unified = _ROOT / own.get("", "") / name
        group = Cgroup(2, unified, unified)
        memory_file = "memory.max"
    try:
        for folder in group.folders:
            folder.mkdir()
        (group.memory / memory_file).write_text(str(memory_mb * 2**20))
        (group.pids / "pids.max").write_text(str(processes))
        group.usage()
    except (OSError, ValueError):
        group.remove()
        return None
    for file in _SWAP_FILES:
        with suppress(OSError):
            (group.memory / file).write_text(str(memory_mb * 2**20) if "memsw" in file else "0")
    return group


def sweep_cgroups() -> None:
    """Remove groups of runs whose program was killed; the kernel refuses where anything still lives in one."""
    own = _own_groups()
    for base in {_ROOT / controller / own[controller] for controller in ("memory", "pids") if controller in own} | {
        _ROOT / own.get("", "")
    }:
        for folder in base.glob("rexbench-*"):
            if not Path(f"/proc/{folder.name.split('-')[1]}").exists():
                with suppress(OSError):
                    folder.rmdir()


def _own_groups() -> dict[str, str]:
    """Controller -> the group this process is in, without its leading slash; "" is version 2's single hierarchy."""
    groups = {}
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            for controller in controllers.split(","):
                groups[controller] = path.lstrip("/")
    return groups
