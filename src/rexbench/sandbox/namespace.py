"""The process namespace of a run in bubblewrap, known by its first process: measured, and ended as a whole.

Bubblewrap itself stays outside and waits. Nothing inside can see it or signal it, nor signal, trace or change the first process
(`seccomp`, `bubblewrap_arguments`). So when either is killed or stopped, somebody of the host did that, and not the run.
"""

import os
import re
import select
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from rexbench.errors import SystemFault
from rexbench.sandbox.cgroup import Cgroup
from rexbench.sandbox.processes import Tree, process_state
from rexbench.sandbox.supervise import Usage

_FIRST_PROCESS = re.compile(rb'"child-pid": *([0-9]+)')
_PATIENCE_SECONDS = 60


class Namespace:
    """A run that bubblewrap was started for."""

    def __init__(self, process: subprocess.Popen[bytes], info_read: int, group: Cgroup | None, disk: int) -> None:
        self.process = process
        self.first = 0
        """The namespace's first process, once bubblewrap has told it."""
        self.lost_first = False
        """Whether the first process ended before it could say how the command did; known after `end`."""
        self._info = info_read
        self._told = b""
        self._pidfd: int | None = None
        self._group = group
        self._disk = disk
        self._tree: Tree | None = None

    def learn(self) -> None:
        """Read which process is the namespace's first; bubblewrap tells once, soon after it starts.

        It writes its JSON in several pieces, the process's number within the first. What has come so far is therefore searched, not
        parsed: a short write to a pipe arrives whole, the whole text may not be there yet.
        """
        if self.first:
            return
        os.set_blocking(self._info, False)
        with suppress(BlockingIOError):
            self._told += os.read(self._info, 4096)
        found = _FIRST_PROCESS.search(self._told)
        if found:
            self._know(int(found[1]))

    def _know(self, first: int) -> None:
        self.first = first
        self._tree = Tree(first, self._disk)
        with suppress(ProcessLookupError):
            self._pidfd = os.pidfd_open(first)

    def look(self) -> Usage:
        self.learn()
        group = self._group or Cgroup(0, None, None, None)
        memory, processes, cpu = group.memory_mb(), group.processes(), group.cpu_seconds()
        seen = self._tree.look(memory is None) if self._tree else Usage(0, 0, 0.0, 0.0)
        return Usage(
            seen.memory_mb if memory is None else memory,
            seen.processes if processes is None else processes,
            seen.cpu_seconds if cpu is None else cpu,
            seen.waited_seconds,
            seen.nameless_disk,
        )

    def cpu_seconds(self) -> float:
        counted = self._group.cpu_seconds() if self._group else None
        return counted if counted is not None else self._tree.cpu_seconds if self._tree else 0.0

    def held_up(self) -> str | None:
        stopped = {process_state(pid) for pid in (self.process.pid, self.first) if pid}
        return "bubblewrap was stopped, which nothing inside can do" if "T" in stopped else None

    def end(self) -> None:
        process = self.process
        self.learn()
        if process.returncode is None and os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            process.kill()
        elif process.returncode is None:
            self.lost_first = _has_collected_a_child(process.pid)
        process.wait()
        self.learn()
        if not self.first:
            self._find_orphan()
        if self._pidfd is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            poller = select.poll()
            poller.register(self._pidfd, select.POLLIN)
            if not poller.poll(_PATIENCE_SECONDS * 1000):
                raise SystemFault(f"The run's first process was killed and is still there after {_PATIENCE_SECONDS} seconds.")

    def _find_orphan(self) -> None:
        """Look for the first process of a bubblewrap that ended before it told: it waits for a word of its parent, for ever.

        Who killed bubblewrap does not matter. The orphan has not begun anything yet, and still holds the pipe for the output.
        """
        assert self.process.stdout
        pipe = os.readlink(f"/proc/self/fd/{self.process.stdout.fileno()}")
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if (entry / "comm").read_bytes() == b"bwrap\n" and os.readlink(entry / "fd" / "1") == pipe:
                    self._know(int(entry.name))

    def close(self) -> None:
        os.close(self._info)
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        if self._pidfd is not None:
            os.close(self._pidfd)
            self._pidfd = None


def _has_collected_a_child(ended: int) -> bool:
    """Whether bubblewrap, ended and not yet collected itself, had waited for a child: then page faults of that are in its account.

    When the command ends, the first process passes its status on, and bubblewrap ends without waiting. It waits for a first process
    that ended without a word.
    """
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{ended}/stat").read_bytes().rpartition(b")")[2].split()[8]) > 0
    return False
