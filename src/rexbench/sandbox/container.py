"""Isolation by a container engine: docker, or podman by the same calls where `podman run` works.

The same guarantees as bubblewrap from another mechanism: no network, no capability, read-only system, the tree the only writable
folder of the host. The image is made from the same pins as the host's environment (`environment.image`). The engine outlives us,
so containers carry the owner's process in a label and those of dead owners are removed at the next start.
"""

import os
import secrets
import shutil
import subprocess
from functools import cache
from pathlib import Path

from rexbench.environment.build import Environment, EnvironmentName, Environments
from rexbench.environment.image import Images
from rexbench.errors import SandboxUnavailable, SystemFault
from rexbench.places import owner_mark
from rexbench.sandbox.cgroup import killed_for_memory
from rexbench.sandbox.contained import Contained, call
from rexbench.sandbox.disk import give_tree
from rexbench.sandbox.protocol import ENVIRONMENT, HOME, WORKSPACE, Finished, Job, SandboxName, standard_variables
from rexbench.sandbox.supervise import Watched, watch

_LABEL = "rexbench.owner"
_UID = 1000
_KILLED = 128 + 9


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
        name = f"rexbench-{secrets.token_hex(8)}"
        command = [*_arguments(job, _own(job.folders)), *_gpu_arguments(self.name, job), image, "bash", "-c", job.command]
        killed_before = killed_for_memory()
        try:
            running = Contained(self.name, name, command, job.tree.stat().st_dev)
            with running.process:
                try:
                    watched = watch(running, job)
                finally:
                    running.end()
            state = running.state()
            if not watched.stopped_by and state.get("ExitCode") == _KILLED and not state.get("OOMKilled"):
                by_the_host = killed_for_memory() > killed_before or running.was_killed()
            else:
                by_the_host = False
        finally:
            call(self.name, "rm", "--force", "--volumes", name)
        status = running.process.returncode
        fault = _fault(self.name, state, watched, status, by_the_host)
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
        return watched.finished(status, stopped_by, enforced)


def _fault(engine: str, state: dict[str, object], watched: Watched, status: int, by_the_host: bool) -> str | None:
    """Why the end of a container says nothing of the job, where that is so."""
    last_words = watched.stderr.decode(errors="replace").strip()[-500:]
    if watched.stopped_by == "caller":
        return None
    if not state or str(state.get("StartedAt", "")).startswith("0001-") or (state.get("Error") and not watched.stopped_by):
        return f"{engine} could not run the container: {state.get('Error') or last_words}"
    if not watched.stopped_by and (status < 0 or state.get("Running") or state.get("ExitCode") != status):
        return f"{engine}'s client ended with {status} before the container did: {last_words}"
    return f"The container was killed, by somebody who uses {engine} or by a machine out of memory." if by_the_host else None


def _arguments(job: Job, user: str) -> list[str]:
    limits = job.limits
    size = f"size={limits.disk_mb}m"
    arguments = [
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
