"""A sandbox provider for Inspect on bubblewrap: no Docker, no root. Each sample has a workroom of its own.

What a command starts ends with it, so tools that keep a process between calls (`bash_session`) do not work here.
"""

import shlex
import threading
from typing import Any, Literal, overload

from anyio import to_thread
from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxEnvironmentLimits,
    SandboxUnavailableError,
    SandboxUserUnsupportedError,
    sandboxenv,
)

from rexbench.errors import SystemFault
from rexbench.interop.inspect.edge import of_sample, open_bench
from rexbench.interop.workroom import TooLong, Workroom

_NOT_EXECUTABLE = 126
_STOPPED = 137
"""What a command's status is that was stopped for using too much, as if the kernel had."""


@sandboxenv(name="rexbench")
class RexbenchSandbox(SandboxEnvironment):
    """A workroom, as Inspect's tools use it."""

    def __init__(self, room: Workroom) -> None:
        super().__init__()
        self.room = room

    @classmethod
    async def sample_init(cls, task_name: str, config: Any, metadata: dict[str, str]) -> dict[str, SandboxEnvironment]:
        bench = open_bench()
        room = Workroom(*of_sample(metadata, bench), bench)
        await to_thread.run_sync(room.__enter__)
        return {"default": cls(room)}

    @classmethod
    async def sample_cleanup(
        cls, task_name: str, config: Any, environments: dict[str, SandboxEnvironment], interrupted: bool
    ) -> None:
        for environment in environments.values():
            await to_thread.run_sync(environment.as_type(cls).room.close)

    async def exec(  # type: ignore[override]  # Inspect gives the last two, which say nothing to us, by name
        self,
        cmd: list[str],
        input: str | bytes | None = None,  # noqa: A002
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,
        **also: bool,
    ) -> ExecResult[str]:
        if user is not None:
            raise SandboxUserUnsupportedError(f"There is one user in this sandbox; {user!r} is none.")
        stdin = input.encode() if isinstance(input, str) else input
        command = (f"cd {shlex.quote(cwd)} && " if cwd else "") + f"exec {shlex.join(cmd)}"
        given_up = threading.Event()
        try:
            done = await to_thread.run_sync(
                lambda: self.room.shell(command, timeout, stdin, env, given_up.is_set), abandon_on_cancel=True
            )
        except SystemFault as error:
            raise SandboxUnavailableError(str(error)) from error
        finally:
            given_up.set()  # a sample whose time is over does not wait for its command
        out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        if done.stopped_by == "wall":
            raise TimeoutError(f"The command was stopped after {done.seconds:.0f} s.")
        if done.stopped_by:
            return ExecResult(False, _STOPPED, out, f"{err}\nstopped for using too much {done.stopped_by}\n")
        if done.status == _NOT_EXECUTABLE and "ermission denied" in err:
            raise PermissionError(err.strip()[-300:])
        return ExecResult(done.status == 0, done.status or 0, out, err)

    async def write_file(self, file: str, contents: str | bytes) -> None:
        content = contents.encode() if isinstance(contents, str) else contents
        await to_thread.run_sync(self.room.write, file, content)

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...

    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...

    async def read_file(self, file: str, text: bool = True) -> str | bytes:
        try:
            content = await to_thread.run_sync(self.room.read, file, SandboxEnvironmentLimits.MAX_READ_FILE_SIZE)
        except TooLong as error:
            raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_READ_FILE_SIZE_STR, None) from error
        return content.decode() if text else content

    def default_polling_interval(self) -> float:
        return 0.2
