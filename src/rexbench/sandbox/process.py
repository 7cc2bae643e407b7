"""No isolation at all: the command runs as the user, with the user's files and network. For tests, and for the desperate.

Needs `--unsafe` on the command line. Every limit is held by looking, as far as processes stay below the first or were seen there.
"""

import os
import secrets
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from rexbench.environment.build import Environment, EnvironmentName, Environments
from rexbench.places import Home
from rexbench.sandbox.processes import Tree
from rexbench.sandbox.protocol import Finished, Job, SandboxName, standard_variables
from rexbench.sandbox.supervise import Usage, watch

_MARK = "REXBENCH_PROCESS"


class PlainProcess:
    """Runs jobs as plain processes."""

    name: SandboxName = "process"

    def __init__(self, environments: Environments, home: Home) -> None:
        self._environments, self._home = environments, home

    def missing(self) -> str | None:
        return None

    def runtime(self, name: EnvironmentName) -> str:
        return self._environments.describe(name).digest

    def prepare(self, name: EnvironmentName) -> Environment:
        return self._environments.ensure(name)

    def run(self, job: Job) -> Finished:
        for inside, source in job.read_only.items():
            target = job.tree / inside
            if target.is_dir() and not any(target.iterdir()):
                target.rmdir()
            shutil.copytree(source, target, copy_function=shutil.copyfile, dirs_exist_ok=True)
        visible = {"CUDA_VISIBLE_DEVICES": ",".join(gpu.uuid for gpu in job.gpus)}  # empty: CUDA shows none
        with self._home.scratch("home") as private:
            standard = standard_variables(str(job.environment.bin), str(private))
            running = _Plain(job, standard | {"TMPDIR": str(private)} | visible | job.variables)
            with running.process:
                try:
                    watched = watch(running, job)
                finally:
                    running.end()
        enforced = dict.fromkeys(("cpu", "wall", "memory", "processes", "disk", "output"), "supervisor") | {
            "network": "not enforced"
        }
        return watched.finished(running.process.returncode, watched.stopped_by, enforced)


class _Plain:
    """A command that was started as a plain process, in a session of its own."""

    def __init__(self, job: Job, variables: dict[str, str]) -> None:
        self._mark = secrets.token_hex(8)
        self.process = subprocess.Popen(
            ["bash", "-c", job.command],
            cwd=job.tree,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=variables | {_MARK: self._mark},
            start_new_session=True,
        )
        self._tree = Tree(self.process.pid, job.tree.stat().st_dev)

    def look(self) -> Usage:
        return self._tree.look()

    def cpu_seconds(self) -> float:
        self._tree.look(memory=False)  # ended, and not yet collected: its account is complete
        return self._tree.cpu_seconds

    def held_up(self) -> str | None:
        return None  # whoever stopped it, the command itself could have done so as well

    def end(self) -> None:
        _kill_marked(self._mark)
        if self.process.returncode is None:  # once collected, the number may be another's
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
            self.process.wait()


def _kill_marked(mark: str) -> None:
    """Kill what carries the run's mark in its environment, wherever it has moved; a process that cleared it gets away."""
    wanted = f"{_MARK}={mark}".encode()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with suppress(OSError):
                if wanted in (entry / "environ").read_bytes().split(b"\0"):
                    os.kill(int(entry.name), signal.SIGKILL)
