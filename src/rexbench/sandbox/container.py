"""Isolation by a container engine: docker, or podman by the same calls where `podman run` works.

The same guarantees as bubblewrap from another mechanism: no network, no capability, read-only system, the tree the only writable
folder of the host. The image is made from the same pins as the host's environment (`environment.image`). The engine outlives us,
so containers carry the owner's process in a label and those of dead owners are removed at the next start.
"""

import json
import os
import secrets
import shutil
import subprocess
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from rexbench.environment.build import Environment, EnvironmentName, Environments
from rexbench.environment.image import Images
from rexbench.errors import SandboxUnavailable, SystemFault
from rexbench.places import owner_mark
from rexbench.sandbox.cgroup import Cgroup, group_of
from rexbench.sandbox.disk import give_tree
from rexbench.sandbox.processes import Tree
from rexbench.sandbox.protocol import ENVIRONMENT, HOME, WORKSPACE, Finished, Job, SandboxName, standard_variables
from rexbench.sandbox.supervise import Usage, Watched, watch

_LABEL = "rexbench.owner"
_UID = 1000
_ENGINE_SECONDS = 120
_ASK_SECONDS = 1.0
_INNER_FILES = tuple(
    f"/sys/fs/cgroup/{file}" for file in ("cpu.stat", "memory.stat", "cpuacct/cpuacct.usage", "memory/memory.stat")
)


class Container:
    """Runs jobs in containers of one engine."""

    def __init__(self, engine: SandboxName, environments: Environments, images: Images) -> None:
        self.name: SandboxName = engine
        self._environments, self._images = environments, images

    def missing(self) -> str | None:
        return _missing(self.name)

    def runtime(self, name: EnvironmentName) -> str:
        return self._images.digest(name)

    def prepare(self, name: EnvironmentName) -> Environment:
        self._images.ensure(self.name, name)
        return self._environments.describe(name)

    def run(self, job: Job) -> Finished:
        complaint = self.missing()
        if complaint:
            raise SandboxUnavailable(complaint)
        sweep(self.name)
        image = self._images.ensure(self.name, job.environment.name)
        running = _Contained(self.name, job, image, _own(job.folders))
        try:
            with running.process:
                try:
                    watched = watch(running, job)
                finally:
                    running.end()
            state = running.state()
        finally:
            call(self.name, "rm", "--force", "--volumes", running.container)
        status = running.process.returncode
        if watched.stopped_by != "caller":
            fault = _fault(self.name, state, watched, status)
            if fault:
                raise SystemFault(fault)
        stopped_by = watched.stopped_by or ("memory" if state.get("OOMKilled") else None)
        group = f"{self.name} control group"
        enforced = {
            "cpu": f"{group}, supervisor",
            "wall": "supervisor",
            "memory": group,
            "processes": group,
            "disk": "rlimit per file, supervisor for the tree, tmpfs size elsewhere",
            "output": "supervisor",
            "network": "namespace",
        }
        return Finished(
            None if stopped_by else status,
            stopped_by,
            watched.seconds,
            watched.cpu_seconds,
            watched.peak_memory_mb,
            watched.stdout,
            watched.stderr,
            enforced,
        )


class _Contained:
    """A container that the engine was asked to run.

    Its control group is read from here where the engine works on this very machine, else by a process inside, now and then.
    """

    def __init__(self, engine: str, job: Job, image: str, user: str) -> None:
        self.container = f"rexbench-{secrets.token_hex(8)}"
        self._engine = engine
        self._disk = job.tree.stat().st_dev
        self._group: Cgroup | None = None
        self._tree: Tree | None = None
        self._told = Usage(0, 0, 0.0, 0.0)
        self._asked = 0.0
        arguments = [*_arguments(job, self.container, user), *_gpu_arguments(engine, job)]
        self.process = subprocess.Popen(
            [engine, "run", *arguments, image, "bash", "-c", job.command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
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
                self._told = Usage(
                    self._group.memory_mb() or 0, 0, self._group.cpu_seconds() or 0.0, seen.waited_seconds, seen.nameless_disk
                )
        return self._told

    def _ask_inside(self) -> Usage:
        """From the group as the container shows it to itself; what is not told is as it was."""
        told = call(self._engine, "exec", "--user", "0", self.container, "cat", *_INNER_FILES).stdout
        found = {name: int(value) for name, value in (line.split() for line in told.splitlines() if line.count(" ") == 1)}
        resident = found.get("anon", found.get("total_rss", 0)) + found.get("shmem", found.get("total_shmem", 0))
        cpu = found.get("usage_usec", 0) / 1e6 or next((int(line) / 1e9 for line in told.splitlines() if line.isdigit()), 0.0)
        return Usage(resident // 2**20, 0, max(cpu, self._told.cpu_seconds), 0.0)

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

    def state(self) -> dict[str, object]:
        """What the engine knows of the container; nothing where it knows none."""
        told = call(self._engine, "inspect", "--format", '{"Id": {{json .Id}}, "State": {{json .State}}}', self.container)
        if told.returncode:
            return {}
        found = json.loads(told.stdout)
        return {"Id": found["Id"], **found["State"]}


def _fault(engine: str, state: dict[str, object], watched: Watched, status: int) -> str | None:
    """Why the end of a container says nothing of the job, where that is so."""
    last_words = watched.stderr.decode(errors="replace").strip()[-500:]
    if not state or str(state.get("StartedAt", "")).startswith("0001-") or (state.get("Error") and not watched.stopped_by):
        return f"{engine} could not run the container: {state.get('Error') or last_words}"
    if not watched.stopped_by and (status < 0 or state.get("Running") or state.get("ExitCode") != status):
        return f"{engine}'s client ended with {status} before the container did: {last_words}"
    return None


def call(engine: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Ask the engine something; a fault of ours where it does not answer."""
    try:
        return subprocess.run([engine, *arguments], capture_output=True, text=True, check=False, timeout=_ENGINE_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise SystemFault(f"{engine} {arguments[0]} did not answer within {_ENGINE_SECONDS} seconds.") from error


def _arguments(job: Job, container: str, user: str) -> list[str]:
    limits = job.limits
    size = f"size={limits.disk_mb}m"
    arguments = [
        "--name",
        container,
        "--label",
        f"{_LABEL}={owner_mark()}",
        "--network",
        "none",
        "--hostname",
        "sandbox",
        "--user",
        user,
    ]
    arguments += ["--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--read-only", "--init", "--log-driver", "none"]
    arguments += [
        "--memory",
        f"{limits.memory_mb}m",
        "--memory-swap",
        f"{limits.memory_mb}m",
        "--pids-limit",
        str(limits.processes + 2),
    ]
    arguments += ["--ulimit", f"fsize={limits.disk_mb * 2**20}", "--ulimit", "core=0", "--shm-size", "256m"]
    arguments += ["--tmpfs", f"/tmp:{size},mode=1777,exec", "--tmpfs", f"{HOME}:{size},mode=1777,exec"]
    arguments += ["--volume", f"{job.tree}:{WORKSPACE}"]
    for inside, source in job.read_only.items():
        arguments += ["--volume", f"{source}:{WORKSPACE}/{inside}:ro"]
    for at, source in job.mounts.items():
        arguments += ["--volume", f"{source}:{at}:ro"]
    for at, source in job.writable.items():
        arguments += ["--volume", f"{source}:{at}"]
    for name, value in {**standard_variables(f"{ENVIRONMENT}/bin", HOME), **job.variables}.items():
        arguments += ["--env", f"{name}={value}"]
    return [*arguments, "--workdir", WORKSPACE]


def _gpu_arguments(engine: str, job: Job) -> list[str]:
    """The engine's own way to show a GPU; the driver's container toolkit must be installed for it."""
    names = [gpu.uuid for gpu in job.gpus]
    if engine == "docker":
        return ["--gpus", f'"device={",".join(names)}"'] if names else []  # quoted: to docker a bare comma ends the value
    return [part for name in names for part in ("--device", f"nvidia.com/gpu={name}")]


def _own(trees: tuple[Path, ...]) -> str:
    """The user inside: ourselves, or an unprivileged one who is given the trees where we are root."""
    if os.getuid() != 0:
        return f"{os.getuid()}:{os.getgid()}"
    for tree in trees:
        give_tree(tree, _UID)
        tree.parent.chmod(0o711)
    return f"{_UID}:{_UID}"


@cache
def sweep(engine: str) -> None:
    """Remove containers whose owner is no longer alive; once per process."""
    listed = subprocess.run(
        [engine, "ps", "--all", "--filter", f"label={_LABEL}", "--format", '{{.ID}} {{.Label "' + _LABEL + '"}}'],
        capture_output=True,
        text=True,
        check=False,
    )
    for line in listed.stdout.splitlines():
        container, _, owner = line.partition(" ")
        if owner and owner != owner_mark(int(owner.split("_")[0])):
            subprocess.run([engine, "rm", "--force", container], capture_output=True, check=False)


@cache
def _missing(engine: str) -> str | None:
    if not shutil.which(engine):
        return f"{engine} is not installed; install it with your system's package manager."
    try:
        told = subprocess.run([engine, "info"], capture_output=True, text=True, check=False, timeout=20)
    except subprocess.TimeoutExpired:
        return f"{engine} does not answer within 20 seconds; is its engine healthy?"
    if told.returncode:
        last = (told.stderr or told.stdout).strip().splitlines()
        return f"{engine} is installed but its engine does not answer ({last[-1][:160] if last else 'no reason given'}); start it."
    return None
