"""A container that is running: measured, ended, and asked how it ended."""

import json
import subprocess
import time
from contextlib import suppress

from rexbench.errors import SystemFault
from rexbench.sandbox.cgroup import Cgroup, group_of
from rexbench.sandbox.processes import Tree
from rexbench.sandbox.supervise import Usage

_ENGINE_SECONDS = 120
_ASK_SECONDS = 1.0
_INNER_FILES = tuple(
    f"/sys/fs/cgroup/{file}" for file in ("cpu.stat", "cpu.pressure", "memory.stat", "cpuacct/cpuacct.usage", "memory/memory.stat")
)


class Contained:
    """A container that the engine was asked to run.

    Its control group is read from here where the engine works on this very machine, else by a process inside, now and then.
    """

    def __init__(self, engine: str, name: str, command: list[str], disk: int) -> None:
        self.container = name
        self._engine = engine
        self._disk = disk
        self._group: Cgroup | None = None
        self._tree: Tree | None = None
        self._told = Usage(0, 0, 0.0, 0.0)
        self._asked = 0.0
        self._since = f"{time.time() - 1:.3f}"
        self.process = subprocess.Popen(
            [engine, "run", "--name", name, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def look(self) -> Usage:
        if self._tree is None and time.monotonic() - self._asked > _ASK_SECONDS:
            self._asked = time.monotonic()
            state = self.state()
            first, identity = state.get("Pid"), state.get("Id")
            if isinstance(first, int) and first and isinstance(identity, str):
                self._group = group_of(first, identity)
                self._tree = Tree(first, self._disk) if self._group else None
                self._told = self._told if self._group else self._ask_inside()
        if self._group and self._tree:
            with suppress(OSError):  # it may be gone at any moment
                seen = self._tree.look(memory=False)
                cpu = max(self._group.cpu_seconds() or 0.0, self._told.cpu_seconds)
                self._told = Usage(self._group.memory_mb() or 0, 0, cpu, seen.waited_seconds, seen.nameless_disk)
        return self._told

    def _ask_inside(self) -> Usage:
        """From the group as the container shows it to itself; what is not told is as it was."""
        told = call(self._engine, "exec", "--user", "0", self.container, "cat", *_INNER_FILES).stdout
        found = {name: int(value) for name, value in (line.split() for line in told.splitlines() if line.count(" ") == 1)}
        resident = found.get("anon", found.get("total_rss", 0)) + found.get("shmem", found.get("total_shmem", 0))
        cpu = found.get("usage_usec", 0) / 1e6 or next((int(line) / 1e9 for line in told.splitlines() if line.isdigit()), 0.0)
        waited = next((int(line.rpartition("=")[2]) / 1e6 for line in told.splitlines() if line.startswith("some ")), 0.0)
        return Usage(resident // 2**20, 0, max(cpu, self._told.cpu_seconds), max(waited, self._told.waited_seconds))

    def cpu_seconds(self) -> float:
        return self._told.cpu_seconds  # the group goes with its last process

    def held_up(self) -> str | None:
        return f"{self._engine} has paused the container" if self.state().get("Paused") else None

    def end(self) -> None:
        """End the client, then the container: an engine whose attached client does not read waits for it before it kills."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
            call(self._engine, "kill", self.container)

    def was_killed(self) -> bool:
        """Whether the engine was asked to kill the container; we ourselves do so only at a limit."""
        wanted = ("--filter", f"container={self.container}", "--filter", "event=kill")
        return bool(call(self._engine, "events", *wanted, "--since", self._since, "--until", f"{time.time():.3f}").stdout.strip())

    def state(self) -> dict[str, object]:
        """What the engine knows of the container; nothing where it knows none."""
        told = call(self._engine, "inspect", "--format", '{"Id": {{json .Id}}, "State": {{json .State}}}', self.container)
        if told.returncode:
            return {}
        found = json.loads(told.stdout)
        return {"Id": found["Id"], **found["State"]}


def call(engine: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Ask the engine something; a fault of ours where it does not answer."""
    try:
        return subprocess.run([engine, *arguments], capture_output=True, text=True, check=False, timeout=_ENGINE_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise SystemFault(f"{engine} {arguments[0]} did not answer within {_ENGINE_SECONDS} seconds.") from error
