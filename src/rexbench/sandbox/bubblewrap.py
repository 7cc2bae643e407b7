"""Isolation by Linux namespaces, with no daemon and no image: the default.

Inside there are a read-only system, the interpreter, the tree, and nothing else of the host: no network, no capability, no other
process, no host user or home, and a filter on system calls. The program runs in a process namespace of its own; when the
namespace's first process is gone the kernel has ended every other, daemons too, and only then does `run` return.

A user namespace gives an ordinary user all of this. Root does without one: inside it the kernel would still see root, who may
write its settings; instead the program is handed to a user who owns nothing but the tree.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from rexbench.environment.build import Environment, EnvironmentName, Environments
from rexbench.errors import SandboxUnavailable, SystemFault
from rexbench.sandbox.bubblewrap_arguments import USER, Handed, arguments, nproc_holds, system_mounts
from rexbench.sandbox.cgroup import Cgroup, killed_for_memory, make_cgroup, sweep_cgroups
from rexbench.sandbox.disk import give_tree
from rexbench.sandbox.namespace import Namespace
from rexbench.sandbox.protocol import Finished, Job, Limit, SandboxName
from rexbench.sandbox.seccomp import filter_program
from rexbench.sandbox.supervise import Watched, watch
from rexbench.stopping import held_together

_NOBODIES = range(1_900_000_000, 1_900_065_536)
"""Host users that no system hands out (services and containers stay below); root gives each run to one of them."""
_JOIN_GROUPS = 'for door in $REXBENCH_DOORS; do echo 0 > "$door" || exit 125; done; kill -0 $REXBENCH_PID && exec "$@"'
"""Bubblewrap dies with the process that started it, but not with one that was gone before: so that is looked at last."""
_KILLED = 128 + 9


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
        killed_before = killed_for_memory()
        try:
            with held_together():
                process = _start(job, user, group, handed, self._hidden)
                namespace = Namespace(process, handed.info_read, group, job.tree.stat().st_dev)
            try:
                watched = watch(namespace, job)
            finally:
                namespace.end()
                namespace.close()
        finally:
            began = handed.told_ready()
        host_killed = killed_for_memory() > killed_before
        fault = _fault(namespace, watched, began, group, host_killed)
        if fault:
            raise SystemFault(fault)
        return _finished(group, watched, namespace.process.returncode)


def _start(job: Job, user: int, group: Cgroup | None, handed: Handed, hidden: tuple[Path, ...]) -> subprocess.Popen[bytes]:
    launcher = ["/bin/sh", "-c", _JOIN_GROUPS, "launcher"] if group else []
    variables = {"PATH": "/usr/local/bin:/usr/bin:/bin", "REXBENCH_PID": str(os.getpid())}
    if group:
        variables["REXBENCH_DOORS"] = " ".join(map(str, group.doors))
    try:
        return subprocess.Popen(
            [*launcher, *arguments(job, user, handed, hidden)],
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


def _fault(namespace: Namespace, watched: Watched, began: bool, group: Cgroup | None, host_killed: bool) -> str | None:
    """Why the end of a run says nothing of the run, where that is so.

    A process inside that was killed may have been killed from inside: that is the run's own failure, unless the kernel killed for
    want of memory and the run had kept to its own limit.
    """
    status, last_words = namespace.process.returncode, watched.stderr.decode(errors="replace").strip()[-500:]
    if watched.stopped_by == "caller":
        return None
    if not began:
        return f"bubblewrap did not start the command: {last_words or f'it ended with status {status}'}"
    if watched.stopped_by:
        return None
    out_of_memory = group.killed_for_memory() if group else None
    if out_of_memory == "own":
        return None
    if out_of_memory == "host" or (host_killed and status and not (group and group.memory)):
        return "This machine ran out of memory, and the kernel killed a run that had kept to its limit."
    if status < 0:
        return f"bubblewrap was ended by signal {-status}, which nothing inside can send."
    if namespace.lost_first and status == _KILLED:
        return "The sandbox's first process was killed, which nothing inside can do."
    return None


def _finished(group: Cgroup | None, watched: Watched, status: int) -> Finished:
    stopped_by: Limit | None = watched.stopped_by
    if stopped_by is None and group and group.killed_for_memory():
        stopped_by = "memory"
    if stopped_by is None and status != 0 and group and group.was_out_of_processes():
        stopped_by = "processes"
    kernel = f"cgroup v{group.version}" if group else ""
    enforced = {
        "cpu": f"{kernel if group and group.cpu else 'process table'}, supervisor",
        "wall": "supervisor",
        "memory": kernel if group and group.memory else "supervisor",
        "processes": kernel if group and group.pids else "rlimit" if nproc_holds() else "supervisor",
        "disk": "rlimit per file, supervisor for the tree, tmpfs size elsewhere",
        "output": "supervisor",
        "network": "namespace",
        "system calls": "filter" if filter_program() else "not filtered on this machine",
    }
    return watched.finished(status, stopped_by, enforced)


@cache
def sweep_once() -> None:
    sweep_cgroups()


@cache
def _missing() -> str | None:
    if sys.platform != "linux":
        return "bubblewrap needs Linux; use --sandbox docker here."
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed; install it with: sudo apt-get install bubblewrap (or your system's package manager)."
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
    with tempfile.TemporaryFile() as said:  # no pipe: what a bubblewrap that is killed leaves behind would hold it open
        done = subprocess.run(probe, stdin=subprocess.DEVNULL, stdout=said, stderr=said, check=False)
        said.seek(0)
        complaint = said.read().decode(errors="replace").strip()[-200:]
    if done.returncode < 0:  # an answer would be kept for good, and this is none
        raise SystemFault(f"bubblewrap was ended by signal {-done.returncode} when it was tried.")
    if done.returncode:
        return (
            f"bubblewrap cannot make namespaces here ({complaint}); "
            "allow them with: sudo sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0."
        )
    return None
