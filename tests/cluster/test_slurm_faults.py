"""What goes wrong on a Slurm cluster is a fault that is tried again: nothing is lost, nothing is done twice."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rexbench.campaign.executors.slurm import Slurm
from rexbench.campaign.folder import Campaign
from rexbench.errors import RexbenchError
from tests.cluster.conftest import CONTROLS, Conducted, Rig, Started, finished, slow_agent, until

pytestmark = pytest.mark.cluster
REXBENCH = Path(sys.executable).parent / "rexbench"
SLOW = "slow/toy/none/1"


def solved_once(campaign: Campaign) -> bool:
    run = campaign.find_run(SLOW)
    return run is not None and run.outcome == "success" and run.attempt == 1 and campaign.attempts(SLOW) == [1]


def test_a_cancelled_job_is_tried_again(started: Started, rig: Rig, tmp_path: Path) -> None:
    campaign = started(slow_agent(tmp_path, 4))
    conducted = Conducted(campaign, Slurm({}, 4))
    (job,) = until(rig.running)
    time.sleep(2)
    rig.cancel(job)
    assert conducted.finish().outcomes == {"success": 1}
    assert [f"job {job}: it was cancelled"] == conducted.faults and solved_once(campaign)
    assert conducted.ended[0].where in ("n1", "n2"), "a fault says on which node it was"
    assert not list(campaign.folder.glob(".scratch/*")), "the job had time to clear up"


def test_a_requeued_job_is_a_fault_and_done_once(started: Started, rig: Rig, tmp_path: Path) -> None:
    campaign = started(slow_agent(tmp_path, 4))
    conducted = Conducted(campaign, Slurm({}, 4))
    (job,) = until(rig.running)
    time.sleep(2)
    rig.control("requeue", job)
    assert conducted.finish().outcomes == {"success": 1}
    assert len(conducted.faults) == 1 and "back into the queue" in conducted.faults[0] and solved_once(campaign)


def test_a_dead_node_loses_nothing_and_its_late_work_counts_once(started: Started, rig: Rig, tmp_path: Path) -> None:
    campaign = started(slow_agent(tmp_path, 8))
    conducted = Conducted(campaign, Slurm({}, 4))
    (job,) = until(rig.running)
    (node,) = rig.squeue(f"--jobs={job}", "--format=%N")
    rig.kill_slurmd(node)  # the job's own processes live on, as after a lost network: they write when nobody waits for them
    rig.control("update", f"NodeName={node}", "State=DOWN", "Reason=dead")  # Slurm would notice by itself, some time later
    progress = conducted.finish()
    assert progress.outcomes == {"success": 1} and len(conducted.faults) == 1 and solved_once(campaign)


def test_slurms_time_limit_is_a_fault_and_no_timeout_of_the_run(started: Started, rig: Rig, tmp_path: Path) -> None:
    campaign = started(slow_agent(tmp_path, 50), retries=0)
    conducted = Conducted(campaign, Slurm({}, 4))
    (job,) = until(rig.running)
    rig.control("update", f"JobId={job}", "EndTime=now+1")  # as if its time were over; Slurm looks twice a minute
    progress = conducted.finish(120)
    assert progress.done == 0 and "time limit" in progress.given_up[SLOW] and campaign.attempts(SLOW) == []


def test_too_short_a_time_is_refused_before_the_first_job(started: Started, rig: Rig, tmp_path: Path) -> None:
    campaign = started(slow_agent(tmp_path, 0))
    with pytest.raises(RexbenchError, match="time=2 in --slurm is too short"):
        finished(campaign, Slurm({"time": "2"}, 4))


def test_options_that_slurm_refuses_are_told_in_slurms_words(started: Started, rig: Rig) -> None:
    with pytest.raises(RexbenchError, match="invalid partition"):
        finished(started(), Slurm({"partition": "nowhere"}, 4))


def test_jobs_go_on_without_the_program_and_are_taken_up_again(started: Started, rig: Rig, tmp_path: Path) -> None:
    earlier = set(rig.squeue("--states=all", "--format=%A"))
    campaign = started(*(slow_agent(tmp_path, 5, f"slow{at}") for at in range(3)), *CONTROLS)
    command = [REXBENCH, "run", "--resume", str(campaign.folder), "--executor", "slurm", "--max-jobs", "5"]
    program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: len(rig.running()) >= 3)
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    assert len(rig.squeue("--format=%A")) >= 3, "the jobs go on"
    progress = finished(campaign, Slurm({}, 5))
    assert progress.done == 5 and not progress.given_up
    assert progress.outcomes == {"success": 4, "empty_patch": 1}
    given_out = set(rig.squeue("--states=all", "--format=%A")) - earlier
    assert len(given_out) == 10, "ten steps, ten jobs: what was under way was taken up, not given out again"
    assert all(campaign.attempts(run.id) == [1] for run in campaign.runs())


def test_a_program_killed_before_it_wrote_the_jobs_number_down_still_finds_it(started: Started, rig: Rig, tmp_path: Path) -> None:
    earlier = set(rig.squeue("--states=all", "--format=%A"))
    campaign = started(slow_agent(tmp_path, 6))
    command = [REXBENCH, "run", "--resume", str(campaign.folder), "--executor", "slurm"]
    program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    (job,) = until(rig.running)
    program.kill()
    program.wait()
    (entry,) = (campaign.folder / ".slurm" / "ledger").glob("*.json")
    entry.write_text(entry.read_text().replace(f'"jobs":["{job}"]', '"jobs":[]'))
    conducted = Conducted(campaign, Slurm({}, 4))
    assert conducted.finish().outcomes == {"success": 1} and conducted.faults == []
    assert len(set(rig.squeue("--states=all", "--format=%A")) - earlier) == 2, "one job for the agent, one for its evaluation"


@pytest.mark.skipif(os.getuid() != 0, reason="mounting a small file system needs root")
def test_a_full_shared_disk_is_a_fault_and_what_was_finished_stays(started: Started, rig: Rig, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)], check=True)
    try:
        campaign = started(folder=disk / "campaign", runs=2, retries=1)
        ballast = disk / "ballast"
        with pytest.raises(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(65536))
        while True:  # to the last page
            try:
                with ballast.open("ab", buffering=0) as file:
                    file.write(bytes(4096))
            except OSError:
                break
        progress = finished(campaign, Slurm({}, 4))
        assert progress.done == 0 and len(progress.given_up) == 4
        assert all("No space left" in fault for fault in progress.given_up.values())
        ballast.unlink()
        progress = finished(campaign, Slurm({}, 4))
        assert progress.outcomes == {"success": 2, "empty_patch": 2}
        assert all(campaign.attempts(run.id) == [1] for run in campaign.runs())
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)
