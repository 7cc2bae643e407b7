"""Isolation by Linux namespaces, with no daemon and no image: the default.

Inside there are a read-only system, the interpreter, the tree, and nothing else of the host: no network, no capability, no other
process, no host user or home, and a filter on system calls. The program runs in a process namespace of its own; when the
namespace's first process is gone the kernel has ended every other, daemons too, and only then does `run` return.

A user namespace gives an ordinary user all of this. Root does without one: inside it the kernel would still see root, who may
write its settings; instead the program is handed to a user who owns nothing but the tree.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

from rexbench.environment.build import Environment, EnvironmentName, describe, ensure_environment
from rexbench.errors import SandboxUnavailable, SystemFault
from rexbench.places import kept_from_experiments
from rexbench.sandbox.cgroup import Cgroup, make_cgroup, sweep_cgroups
from rexbench.sandbox.processes import tree_usage
from rexbench.sandbox.protocol import ENVIRONMENT, HOME, WORKSPACE, Finished, Job, Limit, SandboxName, standard_variables
from rexbench.sandbox.seccomp import filter_program
from rexbench.sandbox.supervise import Usage, Watched, watch

_UID = 1000
"""Who the program is in a user namespace."""
_NOBODIES = range(1_900_000_000, 1_900_065_536)
"""Host users that no system hands out (services and containers stay below); root gives each run to one of them."""
_SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime")
_JOIN_GROUPS = 'for folder in $REXBENCH_CGROUPS; do echo $$ > "$folder/cgroup.procs" || exit 125; done; exec "$@"'


class Bubblewrap:
    """Runs jobs in bubblewrap."""

    name: SandboxName = "bubblewrap"

    def missing(self) -> str | None:
        return _missing()

    def runtime(self, name: EnvironmentName) -> str:
        return describe(name).digest

    def prepare(self, name: EnvironmentName) -> Environment:
        return ensure_environment(name)

    def run(self, job: Job) -> Finished:
        complaint = self.missing()
        if complaint:
            raise SandboxUnavailable(complaint)
        sweep_once()
        group = make_cgroup(job.limits.memory_mb, job.limits.processes + 3)  # bubblewrap's own two processes and a launcher
        try:
            return self._run(job, group)
        finally:
            if group:
                group.remove()

    def _run(self, job: Job, group: Cgroup | None) -> Finished:
        user = random.choice(_NOBODIES) if os.getuid() == 0 else _UID
        if os.getuid() == 0:
            give_tree(job.tree, user)
        handed = _Handed(user)
        launcher = ["/bin/sh", "-c", _JOIN_GROUPS, "launcher"] if group else []
        variables = {"PATH": "/usr/local/bin:/usr/bin:/bin", "REXBENCH_CGROUPS": " ".join(map(str, group.folders)) if group else ""}
        try:
            process = subprocess.Popen(
                [*launcher, *arguments(job, user, handed)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=handed.passed(),
                env=variables,
            )
        except OSError as error:
            handed.close()
            raise SystemFault(f"bubblewrap could not be started: {error}.") from error
        handed.close_passed()
        with process:
            namespace = _Namespace(handed.info_read)
            disk = job.tree.stat().st_dev
            try:
                watched = watch(
                    process, job.limits, job.tree, lambda: _usage(group, namespace, disk), lambda: namespace.end(process)
                )
            finally:
                namespace.end(process)
                namespace.close()
            status = process.returncode
            began = handed.told_ready()
        if not began and not watched.stopped_by:
            raise SystemFault(f"bubblewrap did not start the command: {watched.stderr.decode(errors='replace').strip()[-500:]}")
        return _finished(group, watched, status)


class _Handed:
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

    def close(self) -> None:
        self.close_passed()
        os.close(self.info_read)
        os.close(self._ready_read)

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


def give_tree(tree: Path, user: int) -> None:
    """Make everything in the tree belong to this host user; root's to do."""
    for folder, folders, files in os.walk(tree):
        for name in (*folders, *files):
            os.lchown(os.path.join(folder, name), user, user)
    os.lchown(tree, user, user)


def arguments(job: Job, user: int, handed: "_Handed") -> list[str]:
    """Bubblewrap's whole command line for a job."""
    root = os.getuid() == 0
    # What lives in memory there is bounded by the memory limit as well: not every kernel mechanism counts it.
    size = min(job.limits.disk_mb, job.limits.memory_mb // 4) * 2**20
    command = [
        "bwrap",
        "--unshare-ipc",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--hostname",
        "sandbox",
    ]
    command += ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv", "--info-fd", str(handed.info_write)]
    if root:
        command += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
    else:
        command += [
            "--unshare-user",
            "--uid",
            str(_UID),
            "--gid",
            str(_UID),
            *(["--disable-userns"] if _version() >= (0, 8) else []),
        ]
    if handed.filter is not None:
        command += ["--seccomp", str(handed.filter)]
    interpreter = job.environment.interpreter
    command += ["--proc", "/proc", "--dev", "/dev", *_open_parents("/etc/passwd", HOME, ENVIRONMENT)]
    for folder in ("/dev/shm", "/tmp", HOME):
        command += [*(["--perms", "1777"] if _version() >= (0, 5) else []), *_size_of(size), "--tmpfs", folder]
    command += _system_mounts()
    for name, fd in handed.files.items():
        command += [*(["--perms", "0444"] if _version() >= (0, 5) else []), "--ro-bind-data", str(fd), name]
    if not interpreter.is_relative_to("/usr"):
        command += [*_open_parents(str(interpreter)), "--ro-bind", str(interpreter), str(interpreter)]
    for hidden in kept_from_experiments():
        if hidden.is_dir() and (hidden.is_relative_to("/usr") or hidden.is_relative_to(interpreter)):
            command += ["--tmpfs", str(hidden), "--remount-ro", str(hidden)]
    command += ["--ro-bind", str(job.environment.folder), ENVIRONMENT, "--bind", str(job.tree), WORKSPACE]
    for inside, source in job.read_only.items():
        command += ["--ro-bind", str(source), f"{WORKSPACE}/{inside}"]
    command += ["--remount-ro", "/", "--chdir", WORKSPACE]
    for name, value in {**standard_variables(f"{ENVIRONMENT}/bin", HOME), **job.variables}.items():
        command += ["--setenv", name, value]
    become = (
        ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"]
        if root
        else []
    )
    ready = handed.ready_write
    # The first program inside tells that all is set up and closes the way to tell it; only then does the job's command start.
    begin = ["bash", "-c", f'printf r >&{ready}; exec {ready}>&-; exec bash -c "$1"', "bash", job.command]
    return [*command, "--", *become, *_inner_limits(job), *begin]


class _Namespace:
    """The job's process namespace, known by its first process."""

    def __init__(self, info_read: int) -> None:
        self._info = info_read
        self._pidfd: int | None = None
        self.first = 0

    @property
    def known(self) -> bool:
        return self.first > 0

    def learn(self) -> None:
        """Read which process is the namespace's first; bubblewrap tells once, soon after it starts."""
        if self.known:
            return
        os.set_blocking(self._info, False)
        with suppress(BlockingIOError):
            told = os.read(self._info, 4096)
            if told:
                self.first = json.loads(told)["child-pid"]
                with suppress(ProcessLookupError):
                    self._pidfd = os.pidfd_open(self.first)

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """Kill everything of the job, and wait until it is gone."""
        self.learn()
        if process.poll() is None:
            process.kill()
        if self._pidfd is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            os.set_blocking(self._pidfd, True)
            _wait_gone(self._pidfd)
        process.wait()

    def close(self) -> None:
        os.close(self._info)
        if self._pidfd is not None:
            os.close(self._pidfd)
            self._pidfd = None


def _wait_gone(pidfd: int) -> None:
    import select

    poller = select.poll()
    poller.register(pidfd, select.POLLIN)
    poller.poll(10_000)


def _usage(group: Cgroup | None, namespace: _Namespace, disk: int) -> Usage:
    namespace.learn()
    seen = tree_usage(namespace.first, disk) if namespace.known else Usage(0, 0)
    return replace(group.usage(), nameless_disk=seen.nameless_disk) if group else seen


def _finished(group: Cgroup | None, watched: Watched, status: int) -> Finished:
    stopped_by: Limit | None = watched.stopped_by
    if stopped_by is None and group and group.was_out_of_memory():
        stopped_by = "memory"
    if stopped_by is None and status != 0 and group and group.was_out_of_processes():
        stopped_by = "processes"
    kernel = f"cgroup v{group.version}" if group else None
    enforced = {
        "time": "supervisor",
        "memory": kernel or "supervisor",
        "processes": kernel or ("rlimit" if _nproc_holds() else "supervisor"),
        "disk": "rlimit per file, supervisor for the tree, tmpfs size elsewhere",
        "output": "supervisor",
        "network": "namespace",
        "system calls": "filter" if filter_program() else "not filtered on this machine",
    }
    ended = None if stopped_by else (status if status >= 0 else 128 - status)
    return Finished(ended, stopped_by, watched.seconds, watched.peak_memory_mb, watched.stdout, watched.stderr, enforced)


def _inner_limits(job: Job) -> list[str]:
    """Limits that the kernel holds per process, set inside; the hard limits cannot be raised again."""
    limits = ["prlimit", f"--fsize={job.limits.disk_mb * 2**20}", "--core=0", "--nofile=4096"]
    if _nproc_holds():
        limits.append(f"--nproc={job.limits.processes + 1}")
    return limits


@cache
def _nproc_holds() -> bool:
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
    return [part for parent in free for part in (*(["--perms", "0755"] if _version() >= (0, 5) else []), "--dir", parent)]


def _size_of(size: int) -> list[str]:
    return ["--size", str(size)] if _version() >= (0, 7) else []


@cache
def _system_mounts() -> tuple[str, ...]:
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


@cache
def sweep_once() -> None:
    sweep_cgroups()


@cache
def _missing() -> str | None:
    if sys.platform != "linux":
        return "bubblewrap needs Linux; use --sandbox docker here."
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed; install it with: sudo apt-get install bubblewrap (or your system's package manager)."
    if not shutil.which("prlimit"):
        return "prlimit is not installed; install util-linux with your system's package manager."
    probe = [
        "bwrap",
        "--unshare-all",
        "--unshare-user",
        "--die-with-parent",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        *_system_mounts(),
        "true",
    ]
    done = subprocess.run(probe, capture_output=True, text=True, check=False)
    if done.returncode:
        return (
            f"bubblewrap cannot make namespaces here ({done.stderr.strip()[-200:]}); "
            "allow them with: sudo sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0."
        )
    return None
