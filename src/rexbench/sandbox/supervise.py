"""Watching a started process to its end: output captured under a cap, time, memory, processes and disk held to their limits.

The kernel holds what it can (rlimits, cgroups); this loop holds the rest by looking every `TICK` seconds, and stops the run at
the first limit that is passed. It never trusts anything that the watched program says.

A disk that is full is looked at again once the run is gone: what the run held without a name is free by then. If it is still full
though the run kept to its limit, others have filled it, and that is a fault of ours.
"""

import math
import os
import selectors
import signal
import stat
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from rexbench.errors import SystemFault
from rexbench.sandbox.protocol import Job, Limit

KEPT_OUTPUT = 1024 * 1024
TICK = 0.05
_DISK_TICKS = 5
_DEEP = 200
_FREE_DISK = 512 * 1024 * 1024
"""What a run must leave free on the tree's disk, unless the disk was nearly full before."""
_FULL = 1024 * 1024
"""Free bytes below which a run that failed may have failed for want of disk."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class Usage:
    """What a running job uses at this moment, besides the files in its tree."""

    memory_mb: int
    processes: int
    nameless_disk: int = 0
    """Bytes on disk that no listing shows: files that were removed while they are open."""


class Kept:
    """A stream's head and tail: enough to read, never enough to fill the host."""

    def __init__(self) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.seen = 0

    def take(self, data: bytes) -> None:
        self.seen += len(data)
        room = KEPT_OUTPUT // 2 - len(self.head)
        if room > 0:
            self.head += data[:room]
            data = data[room:]
        self.tail += data
        if len(self.tail) > KEPT_OUTPUT:
            del self.tail[: len(self.tail) - KEPT_OUTPUT // 2]

    def content(self) -> bytes:
        tail = bytes(self.tail[-(KEPT_OUTPUT // 2) :])
        lost = self.seen - len(self.head) - len(tail)
        return bytes(self.head) + (b"\n[... %d bytes left out ...]\n" % lost if lost else b"") + tail


@dataclass(frozen=True)
class Watched:
    """What watching saw."""

    stopped_by: Limit | None
    seconds: float
    peak_memory_mb: int
    stdout: bytes
    stderr: bytes


def watch(
    process: subprocess.Popen[bytes],
    job: Job,
    usage: Callable[[], Usage],
    stop: Callable[[], None],
) -> Watched:
    """Follow `process` until it ends or passes a limit; `stop` must kill everything that it started."""
    limits, tree = job.limits, job.tree
    assert process.stdout is not None and process.stderr is not None
    started = time.monotonic()
    kept = {"stdout": Kept(), "stderr": Kept()}
    # Files that are removed, and only mapped or on their way between processes, are beyond every count: watch the disk itself.
    least_free = min(_FREE_DISK, free_disk(tree) - 2 * limits.disk_mb * 1024 * 1024)
    allowed_disk = _sizes(job) + limits.disk_mb * 1024 * 1024
    stopped_by: Limit | None = None
    peak = ticks = 0
    ended = os.pidfd_open(process.pid)
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(ended, selectors.EVENT_READ, "ended")
            for name, stream in (("stdout", process.stdout), ("stderr", process.stderr)):
                os.set_blocking(stream.fileno(), False)
                selector.register(stream, selectors.EVENT_READ, name)
            next_tick = started + TICK
            while True:
                over = False
                for key, _ in selector.select(timeout=max(0.0, next_tick - time.monotonic())):
                    if key.data == "ended":
                        over = True
                    elif not _drain(key.fileobj, kept[key.data], limits.output_mb):  # type: ignore[arg-type]
                        selector.unregister(key.fileobj)
                now = time.monotonic()
                if kept["stdout"].seen + kept["stderr"].seen > limits.output_mb * 1024 * 1024:
                    stopped_by = "output"
                elif now - started > limits.seconds:
                    stopped_by = "time"
                elif now >= next_tick and not over:
                    next_tick = now + TICK
                    ticks += 1
                    used = usage()
                    peak = max(peak, used.memory_mb)
                    if used.memory_mb > limits.memory_mb:
                        stopped_by = "memory"
                    elif used.processes > limits.processes:
                        stopped_by = "processes"
                    elif ticks % _DISK_TICKS == 0 and (
                        used.nameless_disk + _sizes(job, allowed_disk) > allowed_disk or free_disk(tree) < least_free
                    ):
                        stopped_by = "disk"
                    elif job.stop and job.stop():
                        stopped_by = "caller"
                if over or stopped_by:
                    break
            seconds = time.monotonic() - started
            stop()
            for name, stream in (("stdout", process.stdout), ("stderr", process.stderr)):
                _drain(stream, kept[name], limits.output_mb)
    finally:
        os.close(ended)
    if stopped_by in (None, "disk"):
        if _sizes(job, allowed_disk) > allowed_disk:
            stopped_by = "disk"
        elif free_disk(tree) < (least_free if stopped_by else _FULL) and (stopped_by or process.returncode):
            raise SystemFault(f"The disk that holds {tree} is full, and not by what ran there; free some of it.")
    return Watched(stopped_by, seconds, peak, kept["stdout"].content(), kept["stderr"].content())


def give_tree(tree: Path, user: int) -> None:
    """Make everything in the tree belong to this host user; root's to do."""
    for folder, folders, files in os.walk(tree):
        for name in (*folders, *files):
            os.lchown(os.path.join(folder, name), user, user)
    os.lchown(tree, user, user)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """End a process and its group, and collect it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(ProcessLookupError):
        process.kill()
    process.wait()


def _drain(stream: IO[bytes], into: Kept, output_mb: int) -> bool:
    """Take what is there without waiting; False at the stream's end. Bounded, so that endless output cannot hold the loop."""
    taken = 0
    while taken < 4 * 1024 * 1024 and into.seen <= output_mb * 1024 * 1024:
        try:
            data = os.read(stream.fileno(), 65536)
        except BlockingIOError:
            return True
        if not data:
            return False
        taken += len(data)
        into.take(data)
    return True


def size_on_disk(tree: Path, enough: float = math.inf) -> int:
    """Bytes that the tree takes on disk; counting stops beyond `enough`. The tree may change underfoot.

    Folders are opened one from another, so that no path is too long. What is nested deeper than descriptors reach is left to `du`.
    """
    total = 0
    waiting = [(os.open(tree, _FOLDER), 0)]
    try:
        while waiting and total <= enough:
            folder, depth = waiting.pop()
            try:
                names = os.listdir(folder)
                for name in names:
                    with suppress(OSError):
                        info = os.stat(name, dir_fd=folder, follow_symlinks=False)
                        total += max(info.st_blocks * 512, 512)
                        if stat.S_ISDIR(info.st_mode):
                            if depth >= _DEEP or len(waiting) >= _DEEP:
                                return _told_by_du(tree)
                            waiting.append((_open_folder(name, folder), depth + 1))
            except OSError:
                continue
            finally:
                os.close(folder)
    finally:
        for folder, _ in waiting:
            os.close(folder)
    return total


def _sizes(job: Job, enough: float = math.inf) -> int:
    return sum(size_on_disk(folder, enough) for folder in job.folders)


def free_disk(tree: Path) -> int:
    """Bytes that are free on the disk that the tree is on."""
    disk = os.statvfs(tree)
    return disk.f_bavail * disk.f_frsize


def _open_folder(name: str, parent: int) -> int:
    """A folder of the tree, made readable if the code that made it took that away: it is ours, and must be counted."""
    try:
        return os.open(name, _FOLDER, dir_fd=parent)
    except PermissionError:
        os.chmod(name, 0o700, dir_fd=parent)
        return os.open(name, _FOLDER, dir_fd=parent)


def _told_by_du(tree: Path) -> int:
    told = subprocess.run(
        ["du", "--summarize", "--block-size=1", "--one-file-system", tree], capture_output=True, text=True, check=False
    )
    return int(told.stdout.split()[0]) if told.stdout else 0
