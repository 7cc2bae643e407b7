"""Bubblewrap's command line: what is shown inside, what is not, and as whom the program runs."""

import math
import os
import subprocess
from functools import cache
from pathlib import Path

from rexbench.sandbox.gpus import device_files
from rexbench.sandbox.protocol import ENVIRONMENT, HOME, WORKSPACE, Job, standard_variables
from rexbench.sandbox.seccomp import filter_program

USER = 1000
"""Who the program is in a user namespace."""
_SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime")


class Handed:
    """What bubblewrap is handed: where to tell its process, where the first program tells that it runs, the filter, small files."""

    def __init__(self, user: int) -> None:
        self.info_read, self.info_write = os.pipe()
        self._ready_read, self.ready_write = os.pipe()
        program = filter_program()
        self.filter = None if program is None else _in_memory(program)
        self.files = {name: _in_memory(content.encode()) for name, content in _system_files(user).items()}

    def passed(self) -> list[int]:
        return [self.info_write, self.ready_write, *([] if self.filter is None else [self.filter]), *self.files.values()]

    def close_passed(self) -> None:
        for fd in self.passed():
            os.close(fd)

    def told_ready(self) -> bool:
        """Whether the sandbox was complete and the command about to start; to be asked once, at the end."""
        os.set_blocking(self._ready_read, False)
        try:
            return bool(os.read(self._ready_read, 1))
        except BlockingIOError:
            return False
        finally:
            os.close(self._ready_read)


def _in_memory(content: bytes) -> int:
    fd = os.memfd_create("rexbench")
    os.write(fd, content)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def arguments(job: Job, user: int, handed: Handed, kept_away: tuple[Path, ...]) -> list[str]:
    """Bubblewrap's whole command line for a job that must not see the folders in `kept_away`."""
    root = os.getuid() == 0
    command = [*_alone(root, handed), *_system(job, handed, kept_away), *_shown(job), "--remount-ro", "/", "--chdir", WORKSPACE]
    visible = {"CUDA_VISIBLE_DEVICES": ",".join(gpu.uuid for gpu in job.gpus)} if job.gpus else {}
    for name, value in {**standard_variables(f"{ENVIRONMENT}/bin", HOME), **visible, **job.variables}.items():
        command += ["--setenv", name, value]
    become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"]
    ready = handed.ready_write
    # The first program inside tells that all is set up and closes the way to tell it; only then does the job's command start.
    begin = f'{_inner_limits(job)} && printf r >&{ready} && exec {ready}>&- && exec bash -c "$1"'
    return [*command, "--", *(become if root else []), "bash", "-c", begin, "bash", job.command]


def _alone(root: bool, handed: Handed) -> list[str]:
    """Namespaces of its own, no capability, no variable, the filter of system calls."""
    command = ["bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    command += ["--hostname", "sandbox", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"]
    command += ["--info-fd", str(handed.info_write)]
    if root:
        command += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
    else:
        command += ["--unshare-user", "--uid", str(USER), "--gid", str(USER)]
        command += ["--disable-userns"] if _version() >= (0, 8) else []
    return command if handed.filter is None else [*command, "--seccomp", str(handed.filter)]


def _system(job: Job, handed: Handed, kept_away: tuple[Path, ...]) -> list[str]:
    """The read-only system with the interpreter, private folders in memory, and nothing of what is kept away."""
    # What lives in memory there is bounded by the memory limit as well: not every kernel mechanism counts it.
    size = min(job.limits.disk_mb, job.limits.memory_mb // 4) * 2**20
    interpreter = job.environment.interpreter
    command = ["--proc", "/proc", "--dev", "/dev", *_open_parents("/etc/passwd", HOME, ENVIRONMENT)]
    command += ["--remount-ro", "/proc"]  # the first process may be the same user's: its memory and settings are not to be written
    for device in device_files(job.gpus):
        command += ["--dev-bind", str(device), str(device)]
    for folder in ("/dev/shm", "/tmp", HOME):
        command += [*_mode("1777"), *_size_of(size), "--tmpfs", folder]
    command += system_mounts()
    for name, fd in handed.files.items():
        command += [*_mode("0444"), "--ro-bind-data", str(fd), name]
    if not interpreter.is_relative_to("/usr"):
        command += [*_open_parents(str(interpreter)), "--ro-bind", str(interpreter), str(interpreter)]
    for hidden in kept_away:
        if os.path.isdir(hidden) and (hidden.is_relative_to("/usr") or hidden.is_relative_to(interpreter)):
            command += ["--tmpfs", str(hidden), "--remount-ro", str(hidden)]
    return command


def _shown(job: Job) -> list[str]:
    """The job's own folders: its environment, its tree, and what it was given beside them."""
    command = ["--ro-bind", str(job.environment.folder), ENVIRONMENT, "--bind", str(job.tree), WORKSPACE]
    for inside, source in job.read_only.items():
        command += ["--ro-bind", str(source), f"{WORKSPACE}/{inside}"]
    for at, source in job.mounts.items():
        command += [*_open_parents(at), "--ro-bind", str(source), at]
    for at, source in job.writable.items():
        command += [*_open_parents(at), "--bind", str(source), at]
    return command


def _inner_limits(job: Job) -> str:
    """Limits that the kernel holds per process, set inside; the hard limits cannot be raised again."""
    limits = f"ulimit -f {job.limits.disk_mb * 1024} -c 0 -n 4096"
    if nproc_holds():
        limits += f" -u {job.limits.processes + 1}"
    if job.limits.cpu_seconds is not None:  # far enough above that it strikes only while we ourselves are stopped
        limits += f" -t {math.ceil(1.2 * job.limits.cpu_seconds) + 10}"
    return limits


@cache
def nproc_holds() -> bool:
    """Whether a process limit counts this run alone: it has a host user to itself, or the kernel (5.14 on) counts per namespace."""
    major, minor = (int("".join(filter(str.isdigit, part)) or 0) for part in os.uname().release.split(".")[:2])
    return os.getuid() == 0 or (major, minor) >= (5, 14)


@cache
def _version() -> tuple[int, ...]:
    told = subprocess.run(["bwrap", "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(int(part) for part in told.split()[-1].split(".") if part.isdigit())


def _open_parents(*targets: str) -> list[str]:
    """Folders on the way to a mount that any user may pass; by itself bubblewrap makes them for the owner alone."""
    parents = {str(parent): None for target in targets for parent in reversed(Path(target).parents) if parent != Path("/")}
    free = [parent for parent in parents if not Path(parent).is_relative_to("/usr")]
    return [part for parent in free for part in (*_mode("0755"), "--dir", parent)]


def _mode(mode: str) -> list[str]:
    return ["--perms", mode] if _version() >= (0, 5) else []


def _size_of(size: int) -> list[str]:
    return ["--size", str(size)] if _version() >= (0, 7) else []


@cache
def system_mounts() -> tuple[str, ...]:
    """The read-only system: /usr, and the top-level names that lead into it."""
    mounts = ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        path = Path("/", name)
        if path.is_symlink():
            mounts += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            mounts += ["--ro-bind", str(path), str(path)]
    for file in _SYSTEM_FILES:
        if Path(file).exists():
            mounts += ["--ro-bind", file, file]
    return tuple(mounts)


def _system_files(user: int) -> dict[str, str]:
    """/etc files of our own making: the host's users and hosts are not for the sandbox to see."""
    return {
        "/etc/passwd": f"root:x:0:0:root:/:/bin/false\nrexbench:x:{user}:{user}::{HOME}:/bin/bash\n",
        "/etc/group": f"root:x:0:\nrexbench:x:{user}:\n",
        "/etc/hosts": "127.0.0.1 localhost\n::1 localhost\n",
        "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }
