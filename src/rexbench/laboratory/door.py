"""A run's laboratory, seen by its keeper: opened, mounted, closed.

    with Laboratory(task.folder, data, truth, budget, scratch / "laboratory", scratch / "questions.jsonl") as laboratory:
        job = Job(..., mounts=laboratory.mounts, variables=laboratory.variables, stop=lambda: laboratory.fault is not None)
        sandbox.run(job)
    laboratory.usage

The folder is for this alone and its owner's alone (0700): no other user of the machine gets past it. What a sandbox shows is the
folder inside, which anybody may pass (0711), with the socket to which anybody may connect (0666): in a sandbox the program may
be another user than we are.
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import TracebackType

from rexbench.errors import SystemFault
from rexbench.laboratory.record import Usage, summarise
from rexbench.laboratory.serve import Limits, Settings

VARIABLE = "REXBENCH_LABORATORY"
INSIDE = "/run/rexbench-laboratory"
"""Where isolating sandboxes show the folder with the socket."""
SOCKET = "laboratory.sock"
_START_SECONDS = 600
_BACKLOG = 512


class Laboratory:
    """A task's laboratory, open for one run; a context manager. Everything about it ends with the run."""

    def __init__(
        self, task: Path, data: Path, truth: Path, budget: int, folder: Path, record: Path, limits: Limits | None = None
    ) -> None:
        """`task` is the task's folder, `folder` one that is not there yet, `record` the file for the questions."""
        self._file, self._data, self._truth, self._budget = task / "laboratory.py", data, truth, budget
        self._folder, self._record, self._limits = folder, record, limits or Limits()
        self._usage: Usage | None = None

    @property
    def socket(self) -> Path:
        """On the host; what `VARIABLE` says to a program that runs without isolation."""
        return self._folder / "door" / SOCKET

    @property
    def mounts(self) -> dict[str, Path]:
        """What an isolating sandbox shows, read-only."""
        return {INSIDE: self._folder / "door"}

    @property
    def variables(self) -> dict[str, str]:
        """What is set in an isolating sandbox."""
        return {VARIABLE: f"{INSIDE}/{SOCKET}"}

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def fault(self) -> str | None:
        """Why the laboratory could not go on, known as soon as it is gone; None while all is well."""
        return None if self._usage is None and self._process.poll() is None else self.usage.fault

    @property
    def usage(self) -> Usage:
        """What was asked; to be read after the end."""
        if self._usage is None:
            self._usage = self._read_usage()
        return self._usage

    def __enter__(self) -> "Laboratory":
        self._folder.mkdir(mode=0o700)
        (self._folder / "door").mkdir()
        (self._folder / "door").chmod(0o711)
        with _listening(self.socket) as listening:
            threads = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "MKL", "OPENBLAS", "NUMEXPR")}
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-s", "-B", "-m", "rexbench.laboratory.serve"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={"PATH": os.defpath, "LANG": "C.UTF-8", "PYTHONHASHSEED": "0", **threads},
                pass_fds=[listening.fileno()],
                start_new_session=True,
            )
            file, data, truth, record = (str(path.absolute()) for path in (self._file, self._data, self._truth, self._record))
            settings = Settings(file, data, truth, record, self._budget, listening.fileno(), os.getpid(), self._limits)
        assert self._process.stdin and self._process.stdout and self._process.stderr
        try:
            with suppress(BrokenPipeError):  # it died at once, and says below why
                self._process.stdin.write(json.dumps(asdict(settings)).encode() + b"\n")
                self._process.stdin.flush()
            ready, _, _ = select.select([self._process.stdout], [], [], _START_SECONDS)
            told = json.loads(self._process.stdout.readline() or "{}") if ready else {}
            if "ready" not in told:
                self._end()
                words = self._process.stderr.read().decode(errors="replace").strip()[-600:]
                raise SystemFault(f"The laboratory did not start: {told.get('fault') or words or 'it said nothing'}.")
        except BaseException:
            self._end()
            self._close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        assert self._process.stdin
        with suppress(BrokenPipeError):
            self._process.stdin.write(b"end\n")  # a fork of ours may hold the stream open
            self._process.stdin.close()
        try:  # a question that it is busy with is bounded in CPU time; one that only waits is not
            self._process.wait(10 * self._limits.question_seconds)
        except subprocess.TimeoutExpired:
            self._end()
            self._usage = summarise(self._record, "the laboratory did not come to an end over a question")
        assert self.usage
        self._close()

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()

    def _close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                with suppress(BrokenPipeError):
                    stream.close()
        self.socket.unlink(missing_ok=True)

    def _read_usage(self) -> Usage:
        assert self._process.stdout
        status = self._process.wait()
        told = self._process.stdout.read()
        if told.endswith(b"\n"):
            return Usage(**json.loads(told))
        limits = self._limits
        ended = {
            -signal.SIGPROF: f"took more than {limits.question_seconds:g} s of CPU time over one question",
            -signal.SIGXCPU: f"took more than {limits.cpu_seconds} s of CPU time",
        }.get(status, f"was killed (status {status})")
        return summarise(self._record, f"the laboratory {ended}")


def _listening(at: Path) -> socket.socket:
    """A unix socket, whose path may be longer than a socket's address can be; it listens before anybody answers."""
    listening = socket.socket(socket.AF_UNIX)
    folder = os.open(at.parent, os.O_PATH | os.O_DIRECTORY)
    try:
        listening.bind(f"/proc/self/fd/{folder}/{at.name}")
        at.chmod(0o666)
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise SystemFault(f"No socket can be made in {at.parent} ({error.strerror}); it must be on a local disk.") from error
    finally:
        os.close(folder)
    return listening
