"""A full shared disk, from the start and in the middle, is a fault; what was finished stays, and nothing is done twice."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.campaign.executors.dask import Dask
from rexbench.campaign.executors.protocol import Executor
from rexbench.campaign.executors.slurm.executor import Slurm
from tests.cluster.conftest import CONTROLS, Conducted, DaskCluster, Rig, Started, finished, slow_agent, sweep, until, write_script
from tests.small_disk import small_disk

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(os.getuid() != 0, reason="mounting a small file system needs root")]
FULL = "No space left"


@pytest.fixture(params=["slurm", "dask"])
def make_executor(request: pytest.FixtureRequest) -> Callable[[], Executor]:
    if request.param == "slurm":
        rig: Rig = request.getfixturevalue("rig")
        assert rig
        return lambda: Slurm({}, 4)
    cluster: DaskCluster = request.getfixturevalue("dask_cluster")
    return lambda: Dask(cluster.address, None)


def test_a_full_shared_disk_loses_nothing_and_does_nothing_twice(
    make_executor: Callable[[], Executor], started: Started, environments: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with small_disk(tmp_path / "disk", "16m") as disk:
        home = disk.folder / "home"
        home.mkdir()
        (home / "environments").symlink_to(environments)
        monkeypatch.setenv("REXBENCH_HOME", str(home))
        campaign = started(CONTROLS[0], slow_agent(tmp_path, 8), folder=disk.folder / "campaign", retries=0)
        disk.fill()
        progress = finished(campaign, make_executor())
        assert progress.done == 0 and len(progress.given_up) == 2
        assert all(FULL in fault for fault in progress.given_up.values())
        disk.free()
        conducted = Conducted(campaign, make_executor())
        gold = campaign.run_folder("gold/toy/none/1")
        until((gold / "run.json").exists)
        disk.fill()
        progress = conducted.finish()
        assert progress.outcomes == {"success": 1} and list(progress.given_up) == ["slow/toy/none/1"]
        kept = {path: path.stat().st_mtime_ns for path in gold.rglob("*")}
        disk.free()
        write_script(tmp_path, "slow", 0)
        assert finished(campaign, make_executor()).outcomes == {"success": 2}
        assert {path: path.stat().st_mtime_ns for path in gold.rglob("*")} == kept, "what was finished was done again"
        for run in campaign.runs():
            steps = [campaign.agent_step(run.id, attempt) for attempt in campaign.attempts(run.id)]
            assert [step.outcome for step in steps if step and step.outcome != "system_fault"] == ["finished"], "a run is done once"
        sweep()
