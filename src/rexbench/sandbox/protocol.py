"""What every sandbox takes and gives."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from rexbench.environment.build import Environment, EnvironmentName
from rexbench.sandbox.gpus import Gpu

WORKSPACE = "/workspace"
"""Where the tree stands inside every isolating sandbox."""
ENVIRONMENT = "/opt/rexbench-environment"
"""Where the interpreter environment stands inside every isolating sandbox."""
HOME = "/home/rexbench"

LEAST_WALL_SECONDS = 600.0
WALL_FACTOR = 20.0

Limit = Literal["cpu", "wall", "memory", "processes", "disk", "output", "caller"]
SandboxName = Literal["bubblewrap", "docker", "podman", "process"]


def wall_backstop(cpu_seconds: float) -> float:
    """How long a run with this CPU limit may take by the clock: so long that only a run which sleeps gets there."""
    return max(LEAST_WALL_SECONDS, WALL_FACTOR * cpu_seconds)


@dataclass(frozen=True)
class ResourceLimits:
    """What a run may use. Each back end says in `Finished.enforced` how it held each one."""

    cpu_seconds: float | None
    """User and system time of all its processes together, ended ones included; None: as much as it gets."""
    memory_mb: int
    processes: int
    disk_mb: int
    """Growth of the tree; a single file is held to the same size."""
    output_mb: int
    """Both streams together."""
    wall_seconds: float | None = None
    """By the clock, which stands still while the run is kept from running (`sandbox.clock`); None: `wall_backstop`."""

    @property
    def wall(self) -> float:
        return wall_backstop(self.cpu_seconds or 0.0) if self.wall_seconds is None else self.wall_seconds


@dataclass(frozen=True)
class Job:
    """One command on one tree."""

    command: str
    """Run by bash in the tree's root."""
    tree: Path
    """The host folder that the command works in."""
    environment: Environment
    limits: ResourceLimits
    read_only: dict[str, Path] = field(default_factory=dict)
    """Host folders to show read-only inside the tree, by path relative to it."""
    variables: dict[str, str] = field(default_factory=dict)
    """Environment variables beside the standard ones."""
    mounts: dict[str, Path] = field(default_factory=dict)
    """Host files and folders to show read-only elsewhere, by absolute path inside."""
    writable: dict[str, Path] = field(default_factory=dict)
    """Host folders that are writable inside as well, by absolute path inside; they count as growth of the tree."""
    gpus: tuple[Gpu, ...] = ()
    """GPUs that the command may use, leased to it alone (`sandbox.gpus`)."""
    stop: Callable[[], bool] | None = None
    """Asked at every tick; True ends the run at once (`stopped_by` is then "caller")."""

    @property
    def folders(self) -> tuple[Path, ...]:
        """All that the command may write to on the host's disk."""
        return (self.tree, *self.writable.values())


@dataclass(frozen=True)
class Finished:
    """What a run left behind, besides the tree."""

    status: int | None
    """Exit status, 128 + signal where a signal ended it; None where the sandbox stopped it."""
    stopped_by: Limit | None
    """The limit that ended the run; None where it ended by itself."""
    seconds: float
    """By the clock, less what passed while we ourselves were stopped or the machine was asleep."""
    cpu_seconds: float
    """User and system time of all its processes; without a control group as of the last look, 0 where none was taken."""
    peak_memory_mb: int
    """Highest resident memory of the whole process tree that was seen; 0 where the run was too short to see."""
    stdout: bytes
    stderr: bytes
    """Both cut in the middle to `KEPT_OUTPUT` bytes."""
    enforced: dict[str, str]
    """Limit -> the mechanism that held it."""


class Sandbox(Protocol):
    """A way to run a job."""

    name: SandboxName

    def missing(self) -> str | None:
        """None where it works on this machine; else one sentence on how to get it."""
        ...

    def runtime(self, name: EnvironmentName) -> str:
        """Digest of the interpreter and packages that a job in this environment really runs with."""
        ...

    def prepare(self, name: EnvironmentName) -> Environment:
        """The environment in the form that this sandbox needs, built if it is not there yet."""
        ...

    def run(self, job: Job) -> Finished:
        """Run to the end or to a limit; when this returns no process of the job is alive.

        Raises `SystemFault` where the end tells nothing of the job: it was not started, or not ended by anything that it did.
        """
        ...


def standard_variables(binaries: str, home: str) -> dict[str, str]:
    """The whole environment of a job; the same names and values in every back end, but for where the binaries are."""
    threads = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "MKL", "OPENBLAS", "NUMEXPR", "VECLIB")}
    return {
        "PATH": f"{binaries}:/usr/local/bin:/usr/bin:/bin",
        "HOME": home,
        "TMPDIR": "/tmp",
        "USER": "rexbench",
        "LOGNAME": "rexbench",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "CUBLAS_WORKSPACE_CONFIG": ":4096:8",
        **threads,
    }
