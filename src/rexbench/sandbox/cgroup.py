"""Control groups, where this user may make them: the kernel then counts CPU time and holds memory and process counts exactly.

Version 2 or version 1, and of each controller what is delegated to us: on many desktops CPU time alone. Which it was stands in the
record; nothing is assumed to work that was not made and written to.
"""

import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

_ROOT = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class Cgroup:
    """A group for one run: of each controller its folder, the same for all in version 2, or None where we have it not."""

    version: int
    cpu: Path | None
    memory: Path | None
    pids: Path | None

    @property
    def folders(self) -> list[Path]:
        return sorted({folder for folder in (self.cpu, self.memory, self.pids) if folder})

    @property
    def doors(self) -> list[Path]:
        """Files that whoever writes 0 to them joins by.

        In version 1 it joins as a thread, which spares the kernel the wait for all processors that moving a process costs.
        """
        return [folder / ("tasks" if self.version == 1 else "cgroup.procs") for folder in self.folders]

    def cpu_seconds(self) -> float | None:
        """CPU time of all that ever was in the group; None where the kernel does not count it."""
        if self.cpu is None:
            return None
        if self.version == 1:
            return int((self.cpu / "cpuacct.usage").read_text()) / 1e9
        return _numbers(self.cpu / "cpu.stat").get("usage_usec", 0) / 1e6

    def memory_mb(self) -> int | None:
        """Resident memory, page cache left out; None where the kernel does not count it."""
        if self.memory is None:
            return None
        wanted = ("anon", "shmem") if self.version == 2 else ("total_rss", "total_shmem")
        found = _numbers(self.memory / "memory.stat")
        return sum(found.get(name, 0) for name in wanted) // 2**20

    def processes(self) -> int | None:
        """The number of tasks; None where the kernel does not count them."""
        return int((self.pids / "pids.current").read_text()) if self.pids else None

    def killed_for_memory(self) -> Literal["own", "host"] | None:
        """Whether the kernel killed something in the group for want of memory: because of the group's limit, or without that."""
        if self.memory is None:
            return None
        told = _numbers(self.memory / ("memory.events" if self.version == 2 else "memory.oom_control"))
        if not told.get("oom_kill"):
            return None
        if self.version == 2:
            return "own" if told.get("oom") else "host"
        most, limit = (int((self.memory / f"memory.{name}_in_bytes").read_text()) for name in ("max_usage", "limit"))
        return "own" if most > limit - 2**20 else "host"

    def was_out_of_processes(self) -> bool:
        """Whether the kernel refused the group a process."""
        return bool(self.pids and _numbers(self.pids / "pids.events").get("max"))

    def remove(self) -> None:
        for folder in self.folders:
            with suppress(OSError):
                folder.rmdir()


def make_cgroup(memory_mb: int, processes: int) -> Cgroup | None:
    """A fresh group under our own one with these limits as far as can be had, or None where there is nothing to be had."""
    name = f"rexbench-{os.getpid()}-{secrets.token_hex(4)}"
    version, own = _groups("self")
    cpu, memory, pids = (folder / name for folder in own)
    bytes_ = str(memory_mb * 2**20)
    group = Cgroup(
        version,
        cpu if _made(cpu, "cpuacct.usage" if version == 1 else "cpu.stat") else None,
        memory if _made(memory, "memory.limit_in_bytes" if version == 1 else "memory.max", bytes_) else None,
        pids if _made(pids, "pids.max", str(processes)) else None,
    )
    for folder in {cpu, memory, pids} - set(group.folders):
        with suppress(OSError):
            folder.rmdir()
    if group.memory:
        for file, limit in (("memory.memsw.limit_in_bytes", bytes_), ("memory.swap.max", "0")):
            _made(group.memory, file, limit)
    return group if group.folders else None


def group_of(pid: int, mark: str) -> Cgroup | None:
    """The group that somebody else made for a process, to be read only; None where its path, seen from here, lacks the mark."""
    version, folders = _groups(str(pid))
    if not all(mark in str(folder) for folder in folders):
        return None
    files = ("cpuacct.usage" if version == 1 else "cpu.stat", "memory.stat", "pids.current")
    cpu, memory, pids = (folder if (folder / file).is_file() else None for folder, file in zip(folders, files, strict=True))
    return Cgroup(version, cpu, memory, pids)


def killed_for_memory() -> int:
    """How many processes this kernel has ever killed for want of memory, in whatever group."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/vmstat").read_bytes().partition(b"\noom_kill ")[2].split(maxsplit=1)[0])
    return 0


def sweep_cgroups() -> None:
    """Remove groups of runs whose program was killed; the kernel refuses where anything still lives in one."""
    for base in set(_groups("self")[1]):
        for folder in base.glob("rexbench-*"):
            if not Path(f"/proc/{folder.name.split('-')[1]}").exists():
                with suppress(OSError):
                    folder.rmdir()


def _made(folder: Path, file: str, limit: str | None = None) -> bool:
    """Whether the folder is there, and in it the kernel's file, with the limit written where there is one."""
    try:
        folder.mkdir(exist_ok=True)
        with (folder / file).open("r" if limit is None else "r+") as control:  # neither makes a file that the kernel does not have
            if limit is not None:
                control.write(limit)
    except OSError:
        return False
    return True


def _numbers(file: Path) -> dict[str, int]:
    """The lines `name number` of a kernel's file; none where it is gone."""
    with suppress(OSError):
        return {name: int(value) for name, value in (line.split() for line in file.read_text().splitlines()) if value.isdigit()}
    return {}


def _groups(pid: str) -> tuple[int, list[Path]]:
    """The version, and the folders of the groups that a process is in for CPU time, memory and processes."""
    paths: dict[str, str] = {}
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            paths |= dict.fromkeys(controllers.split(","), path.lstrip("/"))
    if "memory" in paths or "pids" in paths:
        return 1, [_ROOT / name / paths.get(name, "") for name in ("cpuacct", "memory", "pids")]
    return 2, [_ROOT / paths.get("", "")] * 3
