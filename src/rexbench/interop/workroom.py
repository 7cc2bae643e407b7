"""A task's workspace with a shell and an editor, for whoever is no program of its own inside of a sandbox.

Every call is a sandboxed run of its own: what it starts ends with it. The workspace, /var/tmp and (in bubblewrap) /tmp stay until
the room is closed. Files are read and written by commands inside, so that the host follows no path that was bent in there.
"""

import shlex
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from rexbench.agent.outcome import capture_leavings
from rexbench.errors import RexbenchError, SystemFault
from rexbench.places import remove_tree
from rexbench.record.model import Limits
from rexbench.sandbox.disk import size_on_disk
from rexbench.sandbox.protocol import Finished, Job, ResourceLimits
from rexbench.task.folder import HintLevel, Task
from rexbench.untrusted import read_plain
from rexbench.workbench import Workbench
from rexbench.workspace.capture import Captured
from rexbench.workspace.tree import make_workspace

LONGEST_FILE = 100 * 2**20
"""Bytes of a file that are read or written by one call."""
_LONGEST_ARGUMENT = 100_000
"""Characters of a command that are handed over as such; the kernel takes no longer ones."""
_FILE_SECONDS = 60.0
_DOOR = "/run/rexbench-room"
"""Where what goes into a call and what comes out of it lies inside; made anew for each."""
_NO_FILE, _FOLDER, _NO_PLAIN, _TOO_LONG = 21, 22, 23, 24
_READ = f"""\
[ -e "$1" ] || exit {_NO_FILE}
[ -d "$1" ] && exit {_FOLDER}
[ -f "$1" ] || exit {_NO_PLAIN}
[ "$(stat -L -c %s -- "$1")" -le "$2" ] || exit {_TOO_LONG}
cat -- "$1" > {_DOOR}/out"""
_WRITE = f"""\
[ -d "$1" ] && exit {_FOLDER}
mkdir -p -- "$(dirname -- "$1")" && cat > "$1\""""


_PROMPT = """\
You work in the folder /workspace, a git repository, by the tools that you are given. There is no network; `python` has the \
packages that the codebase needs. What a command starts ends with it. Whatever is in the folder when you end is what counts, \
committed or not. Nobody will answer questions. This is the task, which is in instructions.md as well:

"""


def room_prompt(task: Task, hints: HintLevel) -> str:
    """What an agent that works in a room is told."""
    return _PROMPT + task.instructions(hints)


class EditRefused(RexbenchError):
    """An edit whose text is not there, or not there once."""


class TooLong(RexbenchError):
    """A file of more bytes than are read or written at once."""


class Workroom:
    """What an agent would get, with tools for whoever drives one from outside; a context manager."""

    def __init__(self, task: Task, hints: HintLevel, bench: Workbench, limits: Limits | None = None) -> None:
        """`limits.seconds` are those of a call, the others those of the room."""
        self.task, self.hints, self.limits = task, hints, limits or Limits()
        self._bench = bench
        self._stack = ExitStack()
        self._turn = threading.Lock()
        self._over = threading.Event()

    def __enter__(self) -> Self:
        if self._bench.sandbox.name == "process":
            raise RexbenchError("Agents work only in an isolating sandbox (bubblewrap, docker or podman).")
        with ExitStack() as stack:
            self._folder = stack.enter_context(self._bench.home.scratch("room"))
            make_workspace(self.task, self._folder / "workspace", self.hints)
            kept = ["/var/tmp", *(["/tmp"] if self._bench.sandbox.name == "bubblewrap" else [])]
            self._writable = {at: self._folder / at.strip("/").replace("/", "-") for at in (_DOOR, *kept)}
            for folder in self._writable.values():
                folder.mkdir()
            self._job = Job(
                "",
                self._folder / "workspace",
                self._bench.sandbox.prepare(self.task.spec.environment),
                ResourceLimits(None, self.limits.memory_mb, self.limits.processes, self.limits.disk_mb, output_mb=64),
                mounts={"/etc/os-release": self._system_name()},
                writable=self._writable,
            )
            self._size = self._taken()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End a call that is under way, and remove everything."""
        self._over.set()
        with self._turn:
            self._stack.close()

    def shell(
        self,
        command: str,
        seconds: float | None = None,
        stdin: bytes | None = None,
        variables: Mapping[str, str] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Finished:
        """Run a command by bash in the workspace, one at a time; it is stopped after so many seconds, or when `stop` says so."""
        with self._turn:
            return self._run(command, seconds, stdin, variables, stop)

    def read(self, path: str, at_most: int = LONGEST_FILE) -> bytes:
        """A file inside, by its path from the workspace; raises what opening it would raise."""
        with self._turn:
            self._file_command(_READ, path, None, str(at_most))
            return read_plain(self._writable[_DOOR] / "out", at_most)

    def write(self, path: str, content: bytes) -> None:
        """Write a file inside, with the folders on its way."""
        if len(content) > LONGEST_FILE:
            raise TooLong(f"{path} would be {len(content)} bytes long; at most {LONGEST_FILE} are written.")
        with self._turn:
            self._file_command(_WRITE, path, content)

    def edit(self, path: str, old: str, new: str) -> None:
        """Put `new` in the place of `old`, which must be there once."""
        content = self.read(path)
        found = content.count(old.encode()) if old else 0
        if found != 1:
            raise EditRefused(f"{path} holds the text {found} times; give a text that it holds once.")
        self.write(path, content.replace(old.encode(), new.encode()))

    def patch(self) -> Captured:
        """What the workspace has come to, as a patch, in whatever state it is."""
        with self._turn:
            captured, unread = capture_leavings(self.task, self._folder, self._bench.home)
        if unread and unread[1].by == "system":
            raise SystemFault(unread[1].why)
        return captured

    def _file_command(self, script: str, path: str, content: bytes | None, *more: str) -> None:
        done = self._run(shlex.join(["bash", "-c", script, "bash", path, *more]), _FILE_SECONDS, content)
        if done.status == 0:
            return
        if done.stopped_by:
            raise TimeoutError(f"{path}: stopped for using too much {done.stopped_by}")
        told = {
            _NO_FILE: FileNotFoundError(2, "No such file or directory", path),
            _FOLDER: IsADirectoryError(21, "Is a directory", path),
            _NO_PLAIN: PermissionError(13, "Not a plain file", path),
            _TOO_LONG: TooLong(f"{path} is longer than the {''.join(more)} bytes that are read at most."),
        }
        raise told.get(done.status or 0) or PermissionError(13, done.stderr.decode(errors="replace").strip()[-200:], path)

    def _run(
        self,
        command: str,
        seconds: float | None,
        stdin: bytes | None,
        variables: Mapping[str, str] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Finished:
        if self._over.is_set():
            raise SystemFault("The workroom is closed.")
        door = self._writable[_DOOR]
        remove_tree(door)  # whatever an earlier call has put there
        door.mkdir()
        if stdin is not None:
            (door / "in").write_bytes(stdin)
            command = f"exec < {_DOOR}/in\n{command}"
        if len(command) > _LONGEST_ARGUMENT:
            (door / "command").write_bytes(command.encode())
            command = f"exec bash {_DOOR}/command"
        room = self.limits.disk_mb - (self._taken() - self._size) // 2**20
        limits = replace(
            self._job.limits,
            disk_mb=max(1, room),
            wall_seconds=min(self.limits.seconds, seconds if seconds is not None else self.limits.seconds),
        )
        with self._bench.gpus.leased(self.task.spec.limits.gpus) as gpus:
            return self._bench.sandbox.run(
                replace(
                    self._job,
                    command=command,
                    limits=limits,
                    variables=dict(variables or {}),
                    gpus=gpus,
                    stop=lambda: self._over.is_set() or stop(),
                )
            )

    def _system_name(self) -> Path:
        """Tools that install themselves ask what system this is; the host's own name is not told."""
        path = self._folder / "os-release"
        path.write_text('ID=linux\nNAME="sandbox"\nVERSION="1"\n', encoding="utf-8")
        path.chmod(0o444)
        return path

    def _taken(self) -> int:
        return sum(size_on_disk(folder) for folder in (self._folder / "workspace", *self._writable.values()))
