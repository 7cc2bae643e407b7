"""What goes wrong on a Dask cluster is a fault that is tried again: nothing is lost, nothing is done twice."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rexbench.campaign.executors.dask import Dask
from rexbench.campaign.folder import Campaign
from rexbench.errors import RexbenchError, SystemFault
from tests.cluster.conftest import Conducted, DaskCluster, Started, finished, slow_agent, until, write_script

pytestmark = pytest.mark.cluster
REXBENCH = Path(sys.executable).parent / "rexbench"
SLOW = "slow/toy/none/1"


def begun(campaign: Campaign) -> list[Path]:
    return list(campaign.folder.glob(".dask/begun/*"))


def test_a_lost_worker_is_a_fault_and_the_step_is_done_once(started: Started, dask_cluster: DaskCluster, tmp_path: Path) -> None:
    campaign = started(slow_agent(tmp_path, 60))
    conducted = Conducted(campaign, Dask(dask_cluster.address, 2))
    until(lambda: list(campaign.folder.glob(".scratch/*")))
    write_script(tmp_path, "slow", 0)
    victim = next(worker for worker in dask_cluster.workers if _works(worker.pid))
    victim.kill()
    victim.wait()
    assert conducted.finish().outcomes == {"success": 1}
    assert len(conducted.faults) == 1 and "was lost" in conducted.faults[0]
    assert campaign.attempts(SLOW) == [1] and begun(campaign) == []


def _works(pid: int) -> bool:
    """Whether a worker has a step's process under it."""
    return any(path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children"))


def test_tasks_go_on_without_the_program_and_are_taken_up_again(
    started: Started, dask_cluster: DaskCluster, tmp_path: Path
) -> None:
    campaign = started(slow_agent(tmp_path, 4), slow_agent(tmp_path, 4, "slower"))
    command = [REXBENCH, "run", "--resume", str(campaign.folder), "--executor", "dask", "--dask", dask_cluster.address]
    program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: len(begun(campaign)) == 2)
    before = {path: path.stat().st_mtime_ns for path in begun(campaign)}
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    conducted = Conducted(campaign, Dask(dask_cluster.address, None))
    now = {path: path.stat().st_mtime_ns for path in begun(campaign)}
    assert now.items() <= before.items(), "a step that was under way was begun again"
    assert conducted.finish().outcomes == {"success": 2} and conducted.faults == []
    assert [campaign.attempts(run.id) for run in campaign.runs()] == [[1], [1]]


def test_a_scheduler_that_goes_away_is_said_and_the_campaign_can_be_resumed(
    started: Started, dask_cluster: DaskCluster, tmp_path: Path
) -> None:
    campaign = started(slow_agent(tmp_path, 60))
    doomed = DaskCluster(tmp_path / "doomed")
    doomed.mend(1)
    try:
        conducted = Conducted(campaign, Dask(doomed.address, 2))
        until(lambda: begun(campaign))
    finally:
        doomed.stop()
    with pytest.raises(SystemFault, match="went away"):
        conducted.finish()
    write_script(tmp_path, "slow", 0)
    assert finished(campaign, Dask(dask_cluster.address, 2)).outcomes == {"success": 1}
    assert campaign.attempts(SLOW) == [1]


def test_an_address_without_a_scheduler_is_refused_in_one_sentence(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rexbench.campaign.executors.dask._CONNECT_SECONDS", 1)
    with pytest.raises(RexbenchError, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        finished(started(), Dask("tcp://127.0.0.1:1", None))
