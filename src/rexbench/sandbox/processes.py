"""What a tree of processes uses, read from /proc: for limits that no kernel mechanism holds, and for who waited for whom."""

import os
import stat
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rexbench.sandbox.supervise import Usage

_TICKS = os.sysconf("SC_CLK_TCK")
_LONGEST_GUESS = 1.0


@dataclass(frozen=True)
class _Process:
    pid: int
    started: int
    """With the number, tells it from a later process of the same number."""
    state: str
    cpu: float
    """Its own time, that of its ended threads included."""
    below: float
    """Time of its ended children that it waited for, and of theirs."""
    scheduled: dict[int, tuple[float, float]]
    """Thread -> seconds that it ran, and that it was ready and not run."""
    children: tuple[int, ...]


class Tree:
    """A process and all below it, wherever they move, looked at again and again.

    CPU time of ended processes must not be lost, and is kept by two counts of which the higher holds. The first adds to the time
    of the living what their waited-for children used; a parent is read before its children, so that nothing is in it twice. It is
    exact, but has nothing of children that nobody waits for (SIGCHLD ignored). The second adds up what happens between looks:
    growth of processes that were there before; and of a process that is new and running, all the time since the last look, in the
    proportion in which it ran rather than waited. Those that live for less than a look are seen at times, and pay for the unseen.
    """

    def __init__(self, root: int, disk: int) -> None:
        self._root, self._disk = (root, 0), disk
        self._cpu: dict[tuple[int, int], float] = {}
        self._waited: dict[int, float] = {}
        self._at = time.monotonic()
        self._exact = self._guessed = self.waited_seconds = 0.0
        self._peak = 0

    @property
    def cpu_seconds(self) -> float:
        return max(self._exact, self._guessed)

    def look(self, memory: bool = True) -> Usage:
        """What the tree uses now; what ends while we look counts as nothing. Memory only where it is asked for: it costs most.

        Files without a name count too, once each, however many processes hold them: those on the tree's disk as disk, others
        (memory files, removed files of a tmpfs) as memory.
        """
        living = self._living()
        self._count_time(living)
        nameless: dict[tuple[int, int], int] = {}
        for process in living:
            nameless |= nameless_files(process.pid)
        on_disk = sum(size for (device, _), size in nameless.items() if device == self._disk)
        used = self._memory([process.pid for process in living], sum(nameless.values()) - on_disk) if memory else 0
        return Usage(used // 2**20, len(living), self.cpu_seconds, self.waited_seconds, on_disk)

    def _living(self) -> list[_Process]:
        """Those below the root, and those seen before, who may have been orphaned out of the tree; each before its children."""
        found: dict[int, _Process] = {}
        for pid, started in [self._root, *self._cpu]:
            waiting = [] if pid in found else [pid]
            while waiting:
                process = _read(waiting.pop())
                if process and process.pid not in found and (process.pid != pid or started in (0, process.started)):
                    found[process.pid] = process
                    waiting += process.children
        if self._root[0] in found:
            self._root = self._root[0], found[self._root[0]].started
        return list(found.values())

    def _count_time(self, living: list[_Process]) -> None:
        now = time.monotonic()
        interval, self._at = min(now - self._at, _LONGEST_GUESS), now
        cpu: dict[tuple[int, int], float] = {}
        waited: dict[int, float] = {}
        for process in living:
            key = process.pid, process.started
            ran, ready = process.scheduled.get(process.pid, (0.0, 0.0))
            if key not in self._cpu and process.state == "R" and ran:
                self._guessed += interval * ran / (ran + ready)
            else:
                self._guessed += max(0.0, process.cpu - self._cpu.get(key, 0.0))
            cpu[key] = process.cpu
            for thread, (_, ready) in process.scheduled.items():
                self.waited_seconds += max(0.0, ready - self._waited.get(thread, 0.0))
                waited[thread] = ready
        self._exact = max(self._exact, sum(process.cpu + process.below for process in living))
        self._cpu, self._waited = cpu, waited

    def _memory(self, pids: list[int], nameless: int) -> int:
        """Resident bytes; what several processes share counts once.

        That is costly to tell. So they are first counted as if they shared nothing, and only where that is more than ever before
        are they looked at closely.
        """
        for sharing in ("status", "smaps_rollup"):
            found = [_sizes(pid, sharing) for pid in pids]
            # Removed files in memory may be mapped as well, and are not to be counted twice.
            total = sum(private for private, _ in found) + max(sum(shared for _, shared in found), nameless)
            if total <= self._peak or len(pids) == 1:
                break
        self._peak = max(self._peak, total)
        return total


def processes_below(root: int) -> list[int]:
    """A process and all its descendants."""
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        waiting += _threads(pid)[1]
    return found


def process_state(pid: int) -> str:
    """One letter, as the kernel's list has it; nothing where there is no such process."""
    process = _read(pid)
    return process.state if process else ""


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


def _read(pid: int) -> _Process | None:
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        user, system, users_below, systems_below = (int(field) / _TICKS for field in fields[11:15])
    except (OSError, ValueError):
        return None
    scheduled, children = _threads(pid)
    return _Process(
        pid, int(fields[19]), fields[0].decode(), user + system, users_below + systems_below, scheduled, tuple(children)
    )


def _threads(pid: int) -> tuple[dict[int, tuple[float, float]], list[int]]:
    """What each thread ran and waited, and the children of all."""
    scheduled: dict[int, tuple[float, float]] = {}
    children: list[int] = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return {}, []
    for thread in threads:
        with suppress(OSError, ValueError):  # it may end while we look, and others stay
            children += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_bytes().split())
            ran, ready, _ = map(int, Path(f"/proc/{pid}/task/{thread}/schedstat").read_bytes().split())
            scheduled[int(thread)] = (ran / 1e9, ready / 1e9)
    return scheduled, children


def _sizes(pid: int, told_by: str) -> tuple[int, int]:
    """Bytes of private and of shared memory, files left out; told by `smaps_rollup`, shared pages are divided among the sharers."""
    found: dict[bytes, int] = {}
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/{told_by}").read_bytes().splitlines():
            name, _, value = line.partition(b":")
            if name.startswith((b"Rss", b"Pss")):
                found[name] = int(value.split()[0]) * 1024
    if told_by == "status":
        return found.get(b"RssAnon", 0), found.get(b"RssShmem", 0)
    if b"Pss" not in found:  # not ours to read, or gone
        return _sizes(pid, "status")
    return found.get(b"Pss_Anon", found[b"Pss"]), found.get(b"Pss_Shmem", 0)
