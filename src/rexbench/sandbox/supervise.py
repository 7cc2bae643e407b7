"""Watching a started run to its end: output captured under a cap, time, memory, processes and disk held to their limits.

The kernel holds what it can (rlimits, control groups); this loop holds the rest by looking every `TICK` seconds, and stops the run
at the first limit that is passed. It never trusts anything that the watched program says. Looks that take long, at a tree of very
many files or processes, are taken the less often, so that looking never costs more than a tenth of a processor.

A disk that is full is looked at again once the run is gone: what the run held without a name is free by then. If it is still full
though the run kept to its limit, others have filled it, and that is a fault of ours.
"""

import math
import os
import selectors
import subprocess
import time
from dataclasses import dataclass
from typing import IO, Protocol

from rexbench.errors import SystemFault
from rexbench.sandbox.clock import Clock
from rexbench.sandbox.disk import free_disk, size_on_disk
from rexbench.sandbox.protocol import Finished, Job, Limit

KEPT_OUTPUT = 1024 * 1024
TICK = 0.05
_LONGEST_PAUSE = 1.0
_DISK_TICKS = 5
_FREE_DISK = 512 * 1024 * 1024
"""What a run must leave free on the tree's disk, unless the disk was nearly full before."""
_FULL = 1024 * 1024
"""Free bytes below which a run that failed may have failed for want of disk."""


@dataclass(frozen=True)
class Usage:
    """What a running job uses at this moment, besides the files in its tree, and the time it has had so far."""

    memory_mb: int
    processes: int
    cpu_seconds: float
    waited_seconds: float
    """Time that its threads were ready to run and others were run, summed over threads."""
    nameless_disk: int = 0
    """Bytes on disk that no listing shows: files that were removed while they are open."""


class Running(Protocol):
    """A run that was started."""

    process: subprocess.Popen[bytes]
    """The outermost process: it speaks for the run, and the run is over when it has ended."""

    def look(self) -> Usage:
        """What is used now."""
        ...

    def cpu_seconds(self) -> float:
        """All CPU time until now; asked last of all, when the process has ended and before `end`."""
        ...

    def held_up(self) -> str | None:
        """Why the run cannot go on by no doing of its own, where that is so."""
        ...

    def end(self) -> None:
        """Kill everything of the run, and wait until it is gone."""
        ...


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
    cpu_seconds: float
    peak_memory_mb: int
    stdout: bytes
    stderr: bytes

    def finished(self, status: int, stopped_by: Limit | None, enforced: dict[str, str]) -> Finished:
        """The end of the run, where the back end knows of a limit that the kernel held; a negative status is a signal's."""
        ended = None if stopped_by else status if status >= 0 else 128 - status
        measured = (self.seconds, self.cpu_seconds, self.peak_memory_mb)
        return Finished(ended, stopped_by, *measured, self.stdout, self.stderr, enforced)


def watch(running: Running, job: Job) -> Watched:
    """Follow a run until it ends or passes a limit, and end it; a fault of ours where neither can be told."""
    watching = _Watching(running, job)
    stopped_by = watching.follow()
    cpu_seconds = max(watching.cpu_seconds, running.cpu_seconds())
    running.end()
    out, err = watching.output()
    most = job.limits.cpu_seconds
    if stopped_by is None and most is not None and cpu_seconds > most:
        stopped_by = "cpu"  # passed between two looks, or while we ourselves were stopped
    if stopped_by in (None, "disk"):
        stopped_by = watching.disk_at_the_end(stopped_by)
    return Watched(stopped_by, watching.clock.seconds, cpu_seconds, watching.peak_memory_mb, out, err)


class _Watching:
    def __init__(self, running: Running, job: Job) -> None:
        self._running, self._job, self._limits = running, job, job.limits
        process = running.process
        assert process.stdout is not None and process.stderr is not None
        self._streams = {process.stdout: Kept(), process.stderr: Kept()}
        # Files that are removed, and only mapped or on their way between processes, are beyond every count: watch the disk itself.
        self._least_free = min(_FREE_DISK, free_disk(job.tree) - 2 * job.limits.disk_mb * 1024 * 1024)
        self._allowed_disk = self._sizes() + job.limits.disk_mb * 1024 * 1024
        self._looks = 0
        self.clock = Clock(job.limits)
        self.cpu_seconds = 0.0
        self.peak_memory_mb = 0

    def follow(self) -> Limit | None:
        """Until the run's process has ended (None) or a limit is passed."""
        ended = os.pidfd_open(self._running.process.pid)
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(ended, selectors.EVENT_READ)
                for stream in self._streams:
                    os.set_blocking(stream.fileno(), False)
                    selector.register(stream, selectors.EVENT_READ)
                return self._follow(selector, ended)
        finally:
            os.close(ended)

    def _follow(self, selector: selectors.BaseSelector, ended: int) -> Limit | None:
        next_look = time.monotonic() + TICK
        while True:
            pause = max(0.0, next_look - time.monotonic())
            ready = [key.fileobj for key, _ in selector.select(pause)]
            self.clock.advance(pause)
            for stream, kept in self._streams.items():
                if stream in ready and not _drain(stream, kept, self._limits.output_mb):
                    selector.unregister(stream)
            if sum(kept.seen for kept in self._streams.values()) > self._limits.output_mb * 1024 * 1024:
                return "output"
            if ended in ready:
                return None
            if time.monotonic() >= next_look:
                began = time.thread_time()  # what looking takes of the processor, however long the machine lets us wait for it
                passed = self._look()
                if passed:
                    return passed
                spent = time.thread_time() - began
                next_look = time.monotonic() + min(max(TICK, 9 * spent), _LONGEST_PAUSE)

    def _look(self) -> Limit | None:
        """Compare what is used with every limit."""
        limits, used = self._limits, self._running.look()
        self._looks += 1
        self.cpu_seconds = max(self.cpu_seconds, used.cpu_seconds)
        self.peak_memory_mb = max(self.peak_memory_mb, used.memory_mb)
        self.clock.look(used.cpu_seconds, used.waited_seconds)
        if limits.cpu_seconds is not None and used.cpu_seconds > limits.cpu_seconds:
            return "cpu"
        if used.memory_mb > limits.memory_mb:
            return "memory"
        if used.processes > limits.processes:
            return "processes"
        if self._looks % _DISK_TICKS == 0:
            taken = used.nameless_disk + self._sizes(self._allowed_disk)
            if taken > self._allowed_disk or free_disk(self._job.tree) < self._least_free:
                return "disk"
        if self._job.stop and self._job.stop():
            return "caller"
        if self.clock.is_over():
            held_up = self._running.held_up()
            if held_up:
                raise SystemFault(f"The run could not go on: {held_up}.")
            return "wall"
        return None

    def output(self) -> tuple[bytes, bytes]:
        """Both streams as they are kept, once the run is gone."""
        for stream, kept in self._streams.items():
            _drain(stream, kept, self._limits.output_mb)
        out, err = (kept.content() for kept in self._streams.values())
        return out, err

    def disk_at_the_end(self, stopped_by: Limit | None) -> Limit | None:
        """Whether the run went over its disk after all; a fault of ours where the disk is full and it did not."""
        tree = self._job.tree
        if self._sizes(self._allowed_disk) > self._allowed_disk:
            return "disk"
        if free_disk(tree) < (self._least_free if stopped_by else _FULL) and (stopped_by or self._running.process.returncode):
            raise SystemFault(f"The disk that holds {tree} is full, and not by what ran there; free some of it.")
        return stopped_by

    def _sizes(self, enough: float = math.inf) -> int:
        return sum(size_on_disk(folder, enough) for folder in self._job.folders)


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
