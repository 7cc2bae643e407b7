"""Time is CPU time of the whole tree of processes; the clock only ends a run that sleeps, and load is never the run's fault."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rexbench.errors import SystemFault
from rexbench.sandbox import bubblewrap, clock
from rexbench.sandbox.processes import Tree
from rexbench.sandbox.protocol import LEAST_WALL_SECONDS, ResourceLimits
from tests.busy import busy_processor
from tests.conftest import CONFIGURED
from tests.sandbox.conftest import MakeJob

RUN = CONFIGURED.any_sandbox("bubblewrap").run
BURN = "python -S -c 'import time\nwhile time.process_time() < {}: pass'"


@pytest.fixture(params=["control group", "looking"])
def counted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to count CPU time."""
    if request.param == "looking":
        monkeypatch.setattr(bubblewrap, "make_cgroup", lambda memory_mb, processes: None)


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize(
    "command",
    [
        BURN.format(1.2),
        f"for i in 1 2 3 4; do {BURN.format(0.3)} & done; wait",
        f"for i in $(seq 12); do {BURN.format(0.1)}; done",
        f"(setsid {BURN.format(1.2)} &); sleep 20",
    ],
    ids=["one process", "several at once", "one after the other", "a daemon"],
)
def test_cpu_time_is_counted_over_all_processes_that_ever_were(make_job: MakeJob, command: str) -> None:
    passed = RUN(make_job(command, cpu_seconds=0.8))
    assert (passed.status, passed.stopped_by) == (None, "cpu")
    assert passed.cpu_seconds > 0.8
    if "sleep" not in command:
        kept = RUN(make_job(command, cpu_seconds=10))
        assert (kept.status, kept.stopped_by) == (0, None)
        assert 1.0 < kept.cpu_seconds < 3


def test_a_plain_process_is_counted_to_its_end(make_job: MakeJob) -> None:
    done = CONFIGURED.any_sandbox("process").run(make_job(BURN.format(0.3) + "; " + BURN.format(0.3)))
    assert done.status == 0 and 0.5 < done.cpu_seconds < 2
    assert CONFIGURED.any_sandbox("process").run(make_job(BURN.format(20), cpu_seconds=0.5)).stopped_by == "cpu"


def test_without_a_cpu_limit_the_clock_alone_ends_a_run(make_job: MakeJob) -> None:
    done = RUN(make_job(BURN.format(60), cpu_seconds=None, wall_seconds=1))
    assert done.stopped_by == "wall"


def test_the_backstop_is_generous_and_follows_the_cpu_limit() -> None:
    assert ResourceLimits(1, 1, 1, 1, 1).wall == LEAST_WALL_SECONDS
    assert ResourceLimits(1000, 1, 1, 1, 1).wall == 20_000
    assert ResourceLimits(1, 1, 1, 1, 1, wall_seconds=5).wall == 5


@pytest.mark.usefixtures("counted")
def test_on_a_busy_processor_a_run_within_its_cpu_time_succeeds_however_long_it_takes(
    make_job: MakeJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "STARVED_FACTOR", 100.0)
    with busy_processor():
        done = RUN(make_job(BURN.format(0.6), cpu_seconds=5, wall_seconds=2))
    assert (done.status, done.stopped_by) == (0, None)
    assert done.cpu_seconds < 2 < done.seconds, "by the clock it would have been over its limit"


def test_a_sleeper_on_a_busy_processor_is_a_sleeper(make_job: MakeJob) -> None:
    with busy_processor():
        done = RUN(make_job("while true; do sleep 0.1; done", wall_seconds=3))
    assert done.stopped_by == "wall"


def test_a_run_that_gets_no_processor_for_too_long_is_a_fault_of_ours(make_job: MakeJob, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "STARVED_FACTOR", 1.5)
    with busy_processor(), pytest.raises(SystemFault, match="too busy"):
        RUN(make_job(BURN.format(60), wall_seconds=2))


@pytest.mark.parametrize(
    ("cpu", "waited", "over"),
    [(0.0, 0.0, True), (0.04, 0.0, True), (0.04, 0.02, True), (0.1, 0.9, False), (0.5, 40.0, False)],
    ids=["asleep", "mostly asleep", "kept waiting a little", "kept waiting", "many threads kept waiting"],
)
def test_the_clock_stands_still_while_others_are_run(cpu: float, waited: float, over: bool) -> None:
    now = clock.Clock(ResourceLimits(100, 1, 1, 1, 1, wall_seconds=10))
    for second in range(1, 13):
        now.seconds = float(second)
        now.look(cpu * second, waited * second)
    assert now.is_over() == over


STOPPED = """
import sys
from pathlib import Path
from rexbench.api.bench import Bench
from rexbench.sandbox import clock
from rexbench.sandbox.protocol import Job, ResourceLimits
clock.LONGEST_LOOK = 0.5
bench = Bench()
limits = ResourceLimits(5, 300, 32, 16, 1, wall_seconds=4)
done = bench.sandbox.run(Job(sys.argv[2], Path(sys.argv[1]), bench.environments.ensure("base"), limits))
print(done.status, done.stopped_by, done.seconds < 4)
"""


@pytest.mark.parametrize("naps", ["1", "5.5"], ids=["the run ends meanwhile", "the run goes on afterwards"])
def test_stopping_the_supervisor_for_longer_than_every_limit_changes_nothing(home: Path, tmp_path: Path, naps: str) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    command = f"touch started; sleep {naps}"
    with subprocess.Popen([sys.executable, "-c", STOPPED, str(tree), command], stdout=subprocess.PIPE, text=True) as program:
        while not (tree / "started").exists():
            time.sleep(0.01)
        os.kill(program.pid, signal.SIGSTOP)
        time.sleep(4.5)
        os.kill(program.pid, signal.SIGCONT)
        told, _ = program.communicate(timeout=60)
    assert told.split() == ["0", "None", "True"]


def test_short_processes_that_nobody_waits_for_are_counted_by_those_that_are_seen() -> None:
    script = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(150):
    read, write = os.pipe()
    if os.fork() == 0:
        began = time.process_time()
        while time.process_time() - began < 0.02: pass
        os._exit(0)
    os.close(write), os.read(read, 1), os.close(read)
"""
    with subprocess.Popen([sys.executable, "-S", "-c", script]) as bomb:
        tree = Tree(bomb.pid, 0)
        while bomb.poll() is None:
            tree.look(memory=False)
            time.sleep(0.05)
    assert 0.8 < tree.cpu_seconds < 6, "150 processes of 20 ms each, of which the parent knows nothing"
