"""Real engines: the Slurm cluster of `scripts/slurm_rig`, and a Dask scheduler with workers, every one a process of its own."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from rexbench.agent.settings import Agent
from rexbench.api.bench import Bench
from rexbench.campaign.conduct import Event, Progress, conduct
from rexbench.campaign.executors.protocol import Ended, Executor
from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import Plan
from rexbench.campaign.runs import CampaignRuns
from rexbench.task.folder import Task
from tests.agent.conftest import tiny_command

RIG = os.environ.get("REXBENCH_SLURM_RIG", "")
SCRIPT = Path(__file__).parents[2] / "scripts" / "slurm_rig"
CONTROLS = (Agent("gold"), Agent("nop"))


def needs_the_rig(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("cluster") and not RIG:
            item.add_marker(pytest.mark.skip(reason="needs a private Slurm cluster; run: make test-cluster"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    needs_the_rig(items)


def until(what: Callable[[], Any], seconds: float = 120) -> Any:
    """Wait until something holds; returns it."""
    deadline = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < deadline, f"waited {seconds} s in vain"
        time.sleep(0.1)
    return found


def sweep() -> None:
    """What a job that had no time to clear up has left, the next step on the machine removes; after the last one, we do."""

    def swept() -> bool:
        home = Bench().home
        home.sweep()
        return not list((home / "scratch").glob("*"))

    until(swept)  # a job that Slurm calls ended may still be clearing up


class Rig:
    """The Slurm cluster, with ways to hurt it."""

    def squeue(self, *arguments: str) -> list[str]:
        done = subprocess.run(["squeue", "--noheader", "--array", *arguments], capture_output=True, text=True, check=True)
        return done.stdout.split()

    def running(self) -> list[str]:
        return self.squeue("--states=RUNNING", "--format=%i")

    def states(self) -> dict[str, str]:
        told = self.squeue("--states=all", "--format=%i=%T")
        return dict(part.split("=") for part in told)

    def node_of(self, job: str) -> str:
        return "".join(self.squeue(f"--jobs={job}", "--format=%N"))

    def urgent(self, node: str) -> None:
        """A short job of a partition whose jobs preempt ours."""
        script = ["--partition=urgent", f"--nodelist={node}", "--cpus-per-task=1", "--output=/dev/null", "--wrap=sleep 1"]
        subprocess.run(["sbatch", "--quiet", *script], check=True)

    def control(self, *arguments: str) -> None:
        subprocess.run(["scontrol", *arguments], check=True, capture_output=True)

    def cancel(self, job: str) -> None:
        subprocess.run(["scancel", job], check=True)

    def kill_slurmd(self, node: str) -> None:
        os.kill(int(Path(RIG, f"slurmd-{node}.pid").read_text()), signal.SIGKILL)

    def start_slurmd(self, node: str) -> None:
        subprocess.run([SCRIPT, "node", RIG, node], check=True)

    def settle(self) -> None:
        """Both nodes up and idle, no job left."""
        subprocess.run(["scancel", "--user=root"], check=True)
        for node in ("n1", "n2"):
            self.start_slurmd(node)
        until(lambda: not self.squeue("--format=%i"))
        until(lambda: self._idle() == 2)

    def _idle(self) -> int:
        told = subprocess.run(["sinfo", "--noheader", "--states=idle", "--format=%D"], capture_output=True, text=True, check=True)
        return int(told.stdout.strip() or 0)


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    rig.settle()
    sweep()


class DaskCluster:
    """A scheduler and workers with one thread each; a killed worker is not replaced unless asked for."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        address = folder / "scheduler.json"
        self._scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(address)
        )
        until(lambda: address.exists() and address.read_text().endswith("}"))
        self.address: str = yaml.safe_load(address.read_text())["address"]

    def start_worker(self) -> None:
        arguments = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1", "--death-timeout", "300"]
        self.workers.append(self._start("worker", self.address, *arguments, "--local-directory", str(self._folder)))

    def mend(self, workers: int) -> None:
        """As many workers as this, the lost ones replaced."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < workers:
            self.start_worker()

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        log = (self._folder / f"{arguments[0]}-{time.monotonic_ns()}.log").open("wb")
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]], stdout=log, stderr=log
        )

    def stop(self) -> None:
        for process in (*self.workers, self._scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="session")
def lasting_dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    cluster = DaskCluster(tmp_path_factory.mktemp("dask") / "cluster")
    yield cluster
    cluster.stop()


@pytest.fixture
def dask_cluster(lasting_dask: DaskCluster) -> Iterator[DaskCluster]:
    """The scheduler of all tests, with two workers that live."""
    lasting_dask.mend(2)
    yield lasting_dask
    sweep()


Started = Callable[..., Campaign]


@pytest.fixture
def started(toy: Task, tmp_path: Path) -> Started:
    """A campaign on the toy task, started and not yet run."""

    def start(*agents: Agent, folder: Path | None = None, **changes: Any) -> Campaign:
        plan = Plan(agents=agents or CONTROLS, tasks=("toy",), seeds={"toy": (7,)}, **changes)
        return Campaign.create(folder or tmp_path / "campaign", plan, Bench().home.secret())

    return start


def write_script(folder: Path, name: str, seconds: float) -> Path:
    """What an agent does: takes its time, then solves the task. It is read when an attempt begins, so the next may be quicker."""
    turns = [{"shell": f"sleep {seconds}"}, {"edit": {"patch": "vault:gold"}}, {"finish": "Done."}]
    path = folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump({"turns": turns}))
    return path


def slow_agent(folder: Path, seconds: float, name: str = "slow", memory_mb: int = 500) -> Agent:
    """A scripted agent that takes its time, then solves the task."""
    path = write_script(folder, name, seconds)
    options = {"command": tiny_command()}
    return Agent(name=name, agent="command", model=f"scripted:{path}", time_limit=80, memory_mb=memory_mb, options=options)


class Conducted:
    """A campaign that is conducted while the test looks on."""

    def __init__(self, campaign: Campaign, executor: Executor) -> None:
        self.ended: list[Ended] = []
        self._campaign, self._executor = campaign, executor
        self._progress: Progress | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._conduct)
        self._thread.start()

    def _conduct(self) -> None:
        try:
            self._progress = conduct(CampaignRuns(self._campaign), self._executor, Bench(), self._observe)
        except BaseException as error:
            self._error = error

    def _observe(self, event: Event) -> None:
        if event.ended:
            self.ended.append(event.ended)

    def finish(self, seconds: float = 240) -> Progress:
        self._thread.join(seconds)
        assert not self._thread.is_alive(), "the campaign did not come to an end"
        if self._error:
            raise self._error
        assert self._progress
        return self._progress

    @property
    def faults(self) -> list[str]:
        return [ended.fault for ended in self.ended if ended.fault]


def finished(campaign: Campaign, executor: Executor) -> Progress:
    return Conducted(campaign, executor).finish()


def results(campaign: Campaign) -> dict[str, Any]:
    """All that must not depend on where a campaign ran."""
    return {
        run.id: (
            run.outcome,
            run.step.outcome,
            run.step.patch_digest,
            run.execution_success,
            run.file_recall,
            run.file_precision,
            [(metric.name, metric.value, metric.gold, metric.accepted) for found in run.evaluations for metric in found.metrics],
        )
        for run in campaign.runs()
    }
