"""Isolation by Linux namespaces, with no daemon and no image: the default.

Inside there are a read-only system, the interpreter, the tree, and nothing else of the host: no network, no capability, no other
process, no host user or home. The program is process 1's child in a process namespace of its own; when the namespace's first
process is gone the kernel has ended every other, daemons too, and only then does `run` return.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

from rexbench.environment.build import Environment, EnvironmentName, describe, ensure_environment
from rexbench.errors import SandboxUnavailable, SystemFault
from rexbench.places import home
from rexbench.sandbox.cgroup import Cgroup, make_cgroup, sweep_cgroups
from rexbench.sandbox.protocol import ENVIRONMENT, HOME, WORKSPACE, Finished, Job, Limit, SandboxName, standard_variables
from rexbench.sandbox.supervise import Usage, Watched, watch

_UID = "1000"
_SHARED_MEMORY_MB = 256
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
        info_read, info_write = os.pipe()
        command = [*_launcher(group), *arguments(job, info_write)]
        variables = {"PATH": "/usr/local/bin:/usr/bin:/bin", "REXBENCH_CGROUPS": " ".join(map(str, group.folders)) if group else ""}
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[info_write],
                env=variables,
            )
        except OSError as error:
            os.close(info_read)
            raise SystemFault(f"bubblewrap could not be started: {error}.") from error
        finally:
            os.close(info_write)
        with process:
            namespace = _Namespace(info_read)
            try:
                watched = watch(process, job.limits, job.tree, lambda: _usage(group, namespace), lambda: namespace.end(process))
            finally:
                namespace.end(process)
                namespace.close()
            status = process.returncode
            if not namespace.known:
                raise SystemFault(f"bubblewrap did not start the command: {watched.stderr.decode(errors='replace').strip()[-500:]}")
        return _finished(job, group, watched, status)


def arguments(job: Job, info_fd: int) -> list[str]:
    """Bubblewrap's whole command line for a job."""
    system = _system_files()
    size = f"{job.limits.disk_mb * 2**20}"
    command = ["bwrap", "--unshare-all", "--unshare-user", "--uid", _UID, "--gid", _UID, "--hostname", "sandbox"]
    command += ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv", "--info-fd", str(info_fd)]
    if _version() >= (0, 8):
        command += ["--disable-userns"]
    command += ["--proc", "/proc", "--dev", "/dev", *_tmpfs("/dev/shm", f"{_SHARED_MEMORY_MB * 2**20}")]
    command += [*_tmpfs("/tmp", size), *_tmpfs(HOME, size), *_system_mounts()]
    for name, path in system.items():
        command += ["--ro-bind", str(path), name]
    interpreter = job.environment.interpreter
    if not interpreter.is_relative_to("/usr"):
        command += ["--ro-bind", str(interpreter), str(interpreter)]
    command += ["--ro-bind", str(job.environment.folder), ENVIRONMENT, "--bind", str(job.tree), WORKSPACE]
    for inside, source in job.read_only.items():
        command += ["--ro-bind", str(source), f"{WORKSPACE}/{inside}"]
    command += ["--remount-ro", "/", "--chdir", WORKSPACE]
    for name, value in {**standard_variables(f"{ENVIRONMENT}/bin", HOME), **job.variables}.items():
        command += ["--setenv", name, value]
    return [*command, "--", *_inner_limits(job), "bash", "-c", job.command]


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


def _usage(group: Cgroup | None, namespace: _Namespace) -> Usage:
    if group:
        return group.usage()
    namespace.learn()
    return tree_usage(namespace.first) if namespace.known else Usage(0, 0)


def tree_usage(root: int) -> Usage:
    """Memory and number of a process and all below it, from /proc; what ends while we look counts as nothing."""
    page = os.sysconf("SC_PAGE_SIZE")
    private = shared = count = 0
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        try:
            _, resident, common, *_ = Path(f"/proc/{pid}/statm").read_text().split()
            for thread in os.listdir(f"/proc/{pid}/task"):
                waiting += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
        except (OSError, ValueError):
            continue
        count += 1
        private += int(resident) - int(common)
        shared = max(shared, int(common))
    return Usage((private + shared) * page // 2**20, count)


def _finished(job: Job, group: Cgroup | None, watched: Watched, status: int) -> Finished:
    stopped_by: Limit | None = watched.stopped_by
    if stopped_by is None and group and group.was_out_of_memory():
        stopped_by = "memory"
    if stopped_by is None and status != 0 and group and group.was_out_of_processes():
        stopped_by = "processes"
    kernel = f"cgroup v{group.version}" if group else None
    enforced = {
        "time": "supervisor",
        "memory": kernel or "supervisor",
        "processes": kernel or ("rlimit in a user namespace" if _nproc_holds() else "supervisor"),
        "disk": "rlimit per file, supervisor for the tree, tmpfs size elsewhere",
        "output": "supervisor",
        "network": "namespace",
    }
    ended = None if stopped_by else (status if status >= 0 else 128 - status)
    return Finished(ended, stopped_by, watched.seconds, watched.peak_memory_mb, watched.stdout, watched.stderr, enforced)


def _launcher(group: Cgroup | None) -> list[str]:
    """Join the control groups before bubblewrap starts, so that nothing of it is ever outside them."""
    return ["/bin/sh", "-c", _JOIN_GROUPS, "launcher"] if group else []


def _inner_limits(job: Job) -> list[str]:
    """Limits that the kernel holds per process, set inside; the hard limits cannot be raised again."""
    limits = ["prlimit", f"--fsize={job.limits.disk_mb * 2**20}", "--core=0", "--nofile=4096"]
    if _nproc_holds():
        limits.append(f"--nproc={job.limits.processes}")
    return limits


@cache
def _nproc_holds() -> bool:
    """Whether a process limit counts this namespace alone: kernel 5.14 or newer, and not for root, who is exempt."""
    major, minor = (int("".join(filter(str.isdigit, part)) or 0) for part in os.uname().release.split(".")[:2])
    return os.getuid() != 0 and (major, minor) >= (5, 14)


@cache
def _version() -> tuple[int, ...]:
    told = subprocess.run(["bwrap", "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(int(part) for part in told.split()[-1].split(".") if part.isdigit())


def _tmpfs(target: str, size: str) -> list[str]:
    return (["--size", size] if _version() >= (0, 7) else []) + ["--tmpfs", target]


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


def _system_files() -> dict[str, Path]:
    """/etc files of our own making: the host's users and hosts are not for the sandbox to see."""
    contents = {
        "passwd": f"root:x:0:0:root:/:/bin/false\nrexbench:x:{_UID}:{_UID}::{HOME}:/bin/bash\n",
        "group": f"root:x:0:\nrexbench:x:{_UID}:\n",
        "hosts": "127.0.0.1 localhost\n::1 localhost\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }
    folder = home() / "sandbox-etc"
    for name, content in contents.items():
        path = folder / name
        if not path.is_file() or path.read_text() != content:
            folder.mkdir(parents=True, exist_ok=True)
            draft = folder / f".{name}.{os.getpid()}"
            draft.write_text(content)
            draft.rename(path)
    return {f"/etc/{name}": folder / name for name in contents}


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
