"""Isolation by Linux namespaces, with no daemon and no image: the default.

Inside there are a read-only system, the interpreter, the tree, and nothing else of the host: no network, no capability, no other
process, no host user or home, and a filter on system calls. The program runs in a process namespace of its own; when the
namespace's first process is gone the kernel has ended every other, daemons too, and only then does `run` return.

A user namespace gives an ordinary user all of this. Root does without one: inside it the kernel would still see root, who may
write its settings; instead the program is handed to a user who owns nothing but the tree.
"""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

from rexbench.environment.build import Environment, EnvironmentName, Environments
from rexbench.errors import SandboxUnavailable, SystemFault
from rexbench.sandbox.bubblewrap_arguments import USER, Handed, arguments, nproc_holds, system_mounts
from rexbench.sandbox.cgroup import Cgroup, make_cgroup, sweep_cgroups
from rexbench.sandbox.processes import processes_below, tree_usage
from rexbench.sandbox.protocol import Finished, Job, Limit, SandboxName
from rexbench.sandbox.seccomp import filter_program
from rexbench.sandbox.supervise import Usage, Watched, give_tree, watch
from rexbench.stopping import held_together

_NOBODIES = range(1_900_000_000, 1_900_065_536)
"""Host users that no system hands out (services and containers stay below); root gives each run to one of them."""
_JOIN_GROUPS = (
    'for folder in $REXBENCH_CGROUPS; do echo $$ > "$folder/cgroup.procs" || exit 125; done; kill -0 $REXBENCH_PID && exec "$@"'
)
"""Bubblewrap dies with the process that started it, but not with one that was gone before: so that is looked at last."""
_FIRST_PROCESS = re.compile(rb'"child-pid": *([0-9]+)')


class Bubblewrap:
    """Runs jobs in bubblewrap."""

    name: SandboxName = "bubblewrap"

    def __init__(self, environments: Environments, hidden: tuple[Path, ...]) -> None:
        self._environments, self._hidden = environments, hidden

    def missing(self) -> str | None:
        return _missing()

    def runtime(self, name: EnvironmentName) -> str:
        return self._environments.describe(name).digest

    def prepare(self, name: EnvironmentName) -> Environment:
        return self._environments.ensure(name)

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
        user = random.choice(_NOBODIES) if os.getuid() == 0 else USER
        if os.getuid() == 0:
            for folder in job.folders:
                give_tree(folder, user)
        handed = Handed(user)
        disk = job.tree.stat().st_dev
        namespace = _Namespace(handed.info_read)
        try:
            with held_together():
                namespace.process = self._start(job, user, group, handed)
            watched = watch(namespace.process, job, lambda: _usage(group, namespace, disk), namespace.end)
        finally:
            namespace.end()
            namespace.close()
            began = handed.told_ready()
        if not began and not watched.stopped_by:
            raise SystemFault(f"bubblewrap did not start the command: {watched.stderr.decode(errors='replace').strip()[-500:]}")
        return _finished(group, watched, namespace.process.returncode)

    def _start(self, job: Job, user: int, group: Cgroup | None, handed: Handed) -> subprocess.Popen[bytes]:
        launcher = ["/bin/sh", "-c", _JOIN_GROUPS, "launcher"] if group else []
        variables = {"PATH": "/usr/local/bin:/usr/bin:/bin", "REXBENCH_PID": str(os.getpid())}
        if group:
            variables["REXBENCH_CGROUPS"] = " ".join(map(str, group.folders))
        try:
            return subprocess.Popen(
                [*launcher, *arguments(job, user, handed, self._hidden)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=handed.passed(),
                env=variables,
            )
        except OSError as error:
            raise SystemFault(f"bubblewrap could not be started: {error}.") from error
        finally:
            handed.close_passed()


class _Namespace:
    """The job's process namespace, known by its first process."""

    process: subprocess.Popen[bytes] | None = None
    """Bubblewrap itself, which stays outside."""

    def __init__(self, info_read: int) -> None:
        self._info = info_read
        self._told = b""
        self._pidfd: int | None = None
        self.first = 0

    @property
    def known(self) -> bool:
        return self.first > 0

    def learn(self) -> None:
        """Read which process is the namespace's first; bubblewrap tells once, soon after it starts.

        It writes its JSON in several pieces, the process's number within the first. What has come so far is therefore searched, not
        parsed: a short write to a pipe arrives whole, the whole text may not be there yet.
        """
        if self.known:
            return
        os.set_blocking(self._info, False)
        with suppress(BlockingIOError):
            self._told += os.read(self._info, 4096)
        found = _FIRST_PROCESS.search(self._told)
        if found:
            self._know(int(found[1]))

    def _know(self, first: int) -> None:
        self.first = first
        with suppress(ProcessLookupError):
            self._pidfd = os.pidfd_open(first)

    def _find(self, process: subprocess.Popen[bytes]) -> None:
        """Look for the first process while bubblewrap has not told it: killed alone, bubblewrap would leave it waiting for ever.

        Bubblewrap is halted first, so that it starts nothing behind our back.
        """
        os.kill(process.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        for child in processes_below(process.pid)[1:2]:
            self._know(child)

    def end(self) -> None:
        """Kill everything of the job, and wait until it is gone."""
        if self.process is None:
            return
        process = self.process
        self.learn()
        if process.poll() is None:
            if not self.known:
                self._find(process)
            process.kill()
        if self._pidfd is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            os.set_blocking(self._pidfd, True)
            _wait_gone(self._pidfd)
        process.wait()

    def close(self) -> None:
        os.close(self._info)
        for stream in (self.process.stdout, self.process.stderr) if self.process else ():
            if stream:
                stream.close()
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
        "processes": kernel or ("rlimit" if nproc_holds() else "supervisor"),
        "disk": "rlimit per file, supervisor for the tree, tmpfs size elsewhere",
        "output": "supervisor",
        "network": "namespace",
        "system calls": "filter" if filter_program() else "not filtered on this machine",
    }
    ended = None if stopped_by else (status if status >= 0 else 128 - status)
    return Finished(ended, stopped_by, watched.seconds, watched.peak_memory_mb, watched.stdout, watched.stderr, enforced)


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
        *system_mounts(),
        "true",
    ]
    done = subprocess.run(probe, capture_output=True, text=True, check=False)
    if done.returncode:
        return (
            f"bubblewrap cannot make namespaces here ({done.stderr.strip()[-200:]}); "
            "allow them with: sudo sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0."
        )
    return None
