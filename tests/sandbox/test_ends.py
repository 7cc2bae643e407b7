"""Who ended a run: what nothing inside can do is a fault of ours, what it may have done to itself is its own."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from rexbench.errors import SystemFault
from rexbench.sandbox.processes import processes_below
from rexbench.sandbox.protocol import Job
from tests.conftest import CONFIGURED
from tests.e2e.processes import wait_until_gone
from tests.ordinary_user import as_nobody, folder_of_nobody, plain_job
from tests.sandbox.conftest import MakeJob

RUN = CONFIGURED.any_sandbox("bubblewrap").run


@pytest.fixture
def while_it_runs(make_job: MakeJob) -> Callable[[Callable[[int, int], None]], None]:
    """Runs a sleeper, and does something to bubblewrap outside and to the first process inside once it sleeps."""

    def run(act: Callable[[int, int], None]) -> None:
        job = make_job("touch started; sleep 30", wall_seconds=3)

        def interfere() -> None:
            while not (job.tree / "started").exists():
                time.sleep(0.01)
            outer = next(pid for pid in processes_below(os.getpid())[1:] if _name(pid) == "bwrap")
            act(outer, processes_below(outer)[1])

        interfering = threading.Thread(target=interfere)
        interfering.start()
        try:
            RUN(job)
        finally:
            interfering.join()

    return run


def _name(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
def test_bubblewrap_ended_by_any_signal_is_a_fault_of_ours(while_it_runs: Callable[..., None], number: signal.Signals) -> None:
    with pytest.raises(SystemFault, match=f"signal {int(number)}"):
        while_it_runs(lambda outer, first: os.kill(outer, number))


def kill_while_it_sets_up(job: Job) -> None:
    """Kills bubblewrap as soon as it has a child, which most often is before it has told us of it."""
    ours, over = os.getpid(), threading.Event()

    def kill_at_once() -> None:
        while not over.is_set():
            with suppress(OSError, IndexError):
                outer = next((pid for pid in processes_below(ours)[1:] if _name(pid) == "bwrap"), None)
                if outer is not None and len(processes_below(outer)) > 1:
                    os.kill(outer, signal.SIGKILL)
                    return

    killer = threading.Thread(target=kill_at_once)
    killer.start()
    try:
        with pytest.raises(SystemFault, match=r"signal 9|did not start the command: it ended with status -9"):
            RUN(job)
    finally:
        over.set()
        killer.join()


def test_nothing_is_left_of_a_sandbox_whose_bubblewrap_is_killed_while_it_sets_up(make_job: MakeJob, tmp_path: Path) -> None:
    RUN(make_job("true"))  # whether bubblewrap works here is tried once
    for _ in range(40):
        kill_while_it_sets_up(make_job("sleep 30", wall_seconds=3))
    assert wait_until_gone(tmp_path) == []


def test_nothing_is_left_of_it_where_an_ordinary_user_runs_it() -> None:
    def work() -> None:
        RUN(plain_job("true", tree))
        for _ in range(20):
            kill_while_it_sets_up(plain_job("sleep 30", tree))

    with folder_of_nobody() as tree:
        as_nobody(work)
        assert wait_until_gone(tree) == []


def test_the_first_process_inside_killed_from_outside_is_a_fault_of_ours(while_it_runs: Callable[..., None]) -> None:
    with pytest.raises(SystemFault, match="first process was killed"):
        while_it_runs(lambda outer, first: os.kill(first, signal.SIGKILL))


@pytest.mark.parametrize("which", ["bubblewrap", "the first process"])
def test_a_sandbox_that_somebody_stopped_is_no_idle_run(while_it_runs: Callable[..., None], which: str) -> None:
    with pytest.raises(SystemFault, match="could not go on"):
        while_it_runs(lambda outer, first: os.kill(outer if which == "bubblewrap" else first, signal.SIGSTOP))


@pytest.mark.parametrize(
    "command", ["kill -9 $$", "sh -c 'kill -9 $PPID'; true", "sh -c 'kill -9 -1'; true", "sh -c 'kill -9 $$'; exit $?", "exit 137"]
)
def test_a_run_that_kills_itself_has_failed(make_job: MakeJob, command: str) -> None:
    done = RUN(make_job(command))
    assert (done.status, done.stopped_by) == (137, None)


def test_what_a_run_does_to_the_first_process_is_its_own_failure_or_nothing(make_job: MakeJob) -> None:
    done = RUN(make_job("kill -9 1; kill -STOP 1; kill -SEGV 1; exit 3"))
    assert (done.status, done.stopped_by) == (3, None)


def test_an_orderly_end_is_never_taken_for_one_by_the_host(make_job: MakeJob) -> None:
    """The first process is collected by bubblewrap only where it could not report; that must never be mistaken."""
    for _ in range(30):
        assert RUN(make_job("sleep 5 & exit 137")).status == 137


OUT_OF_MEMORY = """
import os, sys
from pathlib import Path
from rexbench.errors import SystemFault
from rexbench.sandbox import bubblewrap
from rexbench.sandbox.protocol import Job, ResourceLimits
from rexbench.api.bench import Bench
bench = Bench()
group, tree, counted, limit = sys.argv[1:]
Path(group, "cgroup.procs").write_text(str(os.getpid()))
if counted == "looking":
    bubblewrap.make_cgroup = lambda memory_mb, processes: None
eat = "python -S -c 'x = bytearray(400 * 2**20)'"
try:
    limits = ResourceLimits(9, int(limit), 32, 16, 1)
    done = bench.any_sandbox("bubblewrap").run(Job(eat, Path(tree), bench.environments.ensure("base"), limits))
    print(done.stopped_by)
except SystemFault as fault:
    print(fault)
"""


def _memory_group() -> Path | None:
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "memory":
            return Path("/sys/fs/cgroup/memory", path.lstrip("/"))
    return None


@pytest.mark.skipif(
    os.getuid() != 0 or _memory_group() is None, reason="making a small machine needs root and version 1 of control groups"
)
@pytest.mark.parametrize(
    ("counted", "limit", "told"),
    [("control group", 1000, "ran out of memory"), ("looking", 1000, "ran out of memory"), ("control group", 200, "memory")],
)
def test_a_host_out_of_memory_is_no_fault_of_a_run_within_its_limit(
    home: Path, tmp_path: Path, counted: str, limit: int, told: str
) -> None:
    """A group around everything stands for a host that has not the memory that the run was promised."""
    own = _memory_group()
    assert own
    host, tree = own / f"small-host-{os.getpid()}", tmp_path / "tree"
    tree.mkdir()
    host.mkdir()
    try:
        (host / "memory.limit_in_bytes").write_text(str(300 * 2**20))
        command = [sys.executable, "-c", OUT_OF_MEMORY, str(host), str(tree), counted, str(limit)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    finally:
        host.rmdir()
    assert told in done.stdout
