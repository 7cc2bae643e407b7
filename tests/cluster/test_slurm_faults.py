"""What goes wrong on a Slurm cluster is a fault that is tried again: nothing is lost, nothing is done twice."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rexbench.campaign.executors.slurm.executor import Slurm
from rexbench.errors import RexbenchError
from tests.cluster.conftest import CONTROLS, Conducted, Rig, Started, finished, slow_agent, until, write_script

pytestmark = pytest.mark.cluster
REXBENCH = Path(sys.executable).parent / "rexbench"


def test_what_slurm_does_to_a_job_is_a_fault_told_for_what_it_is_and_the_step_is_done_once(
    started: Started, rig: Rig, tmp_path: Path
) -> None:
    """Four jobs, as many as the cluster holds: one is preempted, one cancelled, one requeued, one runs out of Slurm's time."""
    names = [f"agent{at}" for at in range(4)]
    campaign = started(*(slow_agent(tmp_path, 75, name) for name in names))
    conducted = Conducted(campaign, Slurm({}, 8))
    until(lambda: len(list(campaign.folder.glob(".scratch/*"))) == 4)  # each has begun in earnest
    jobs = rig.running()
    for name in names:
        write_script(tmp_path, name, 0)
    rig.urgent(rig.node_of(jobs[0]))
    preempted = until(lambda: next((job for job in jobs if rig.states()[job] == "PREEMPTED"), None))
    overtime, cancelled, requeued = (job for job in jobs if job != preempted)
    rig.control("update", f"JobId={overtime}", "EndTime=now+1")  # as if its time were over; Slurm looks twice a minute
    rig.cancel(cancelled)
    rig.control("requeue", requeued)
    assert conducted.finish().outcomes == {"success": 4}
    assert sorted(conducted.faults) == sorted(
        [
            f"job {preempted}: it was preempted",
            f"job {cancelled}: it was cancelled",
            f"Slurm put its job {requeued} back into the queue",
            f"job {overtime}: Slurm's time limit ended it; give a longer one with --slurm time=...",
        ]
    )
    assert {ended.where for ended in conducted.ended if ended.fault} <= {"n1", "n2"}, "a fault says on which node it was"
    assert all(campaign.attempts(run.id) == [1] and run.attempt == 1 for run in campaign.runs())
    assert not list(campaign.folder.glob(".scratch/*")), "the jobs had time to clear up"


def test_the_runs_own_time_limit_is_a_verdict_and_no_fault(started: Started, rig: Rig, tmp_path: Path) -> None:
    slow = slow_agent(tmp_path, 60)
    hasty = slow.model_copy(update={"limits": slow.limits.model_copy(update={"seconds": 2})})
    campaign = started(hasty)
    conducted = Conducted(campaign, Slurm({}, 4))
    assert conducted.finish().done == 1 and conducted.faults == []
    (run,) = campaign.runs()
    assert run.step.outcome == "agent_limit" and run.outcome == "empty_patch" and campaign.attempts(run.id) == [1]


def test_a_dead_node_loses_nothing_and_its_late_work_counts_once(started: Started, rig: Rig, tmp_path: Path) -> None:
    campaign = started(slow_agent(tmp_path, 5))
    conducted = Conducted(campaign, Slurm({}, 4))
    (job,) = until(rig.running)
    node = rig.node_of(job)
    rig.kill_slurmd(node)  # the job's own processes live on, as after a lost network: they write when nobody waits for them
    rig.control("update", f"NodeName={node}", "State=DOWN", "Reason=dead")  # Slurm would notice by itself, some time later
    assert conducted.finish().outcomes == {"success": 1} and len(conducted.faults) == 1
    (run,) = campaign.runs()
    assert run.attempt == 1 and campaign.attempts(run.id) == [1]


def test_too_short_a_time_is_refused_before_the_first_job(started: Started, rig: Rig, tmp_path: Path) -> None:
    campaign = started(slow_agent(tmp_path, 0))
    with pytest.raises(RexbenchError, match="time=2 in --slurm is too short"):
        finished(campaign, Slurm({"time": "2"}, 4))


def test_options_that_slurm_refuses_are_told_in_slurms_words(started: Started, rig: Rig) -> None:
    campaign = started()
    with pytest.raises(RexbenchError, match="invalid partition"):
        finished(campaign, Slurm({"partition": "nowhere"}, 4))
    assert not list(campaign.folder.glob(".slurm/ledger/*")), "nothing is awaited"


def test_jobs_go_on_without_the_program_and_are_taken_up_again(started: Started, rig: Rig, tmp_path: Path) -> None:
    """By another path to the campaign, with fewer jobs at a time, and though the numbers of an array were not written down."""
    earlier = set(rig.squeue("--states=all", "--format=%A"))
    array = [slow_agent(tmp_path, 5, f"slow{at}") for at in range(2)]
    campaign = started(*array, slow_agent(tmp_path, 5, "alone", memory_mb=600), *CONTROLS)
    command = [REXBENCH, "run", "--resume", str(campaign.folder), "--executor", "slurm", "--max-jobs", "5"]
    program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: len(rig.running()) >= 3)
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    for path in (campaign.folder / ".slurm" / "ledger").glob("*.json"):
        head, _, numbers = path.read_text().partition('"jobs":')
        if numbers.count('"') == 4:  # two jobs: as if the program had been killed before it wrote this
            path.write_text(f'{head}"jobs":[]}}')
    link = tmp_path / "link"
    link.symlink_to(campaign.folder)
    progress = finished(type(campaign).open(link), Slurm({}, 2))
    assert progress.outcomes == {"success": 4, "empty_patch": 1} and not progress.given_up
    given_out = set(rig.squeue("--states=all", "--format=%A")) - earlier
    assert len(given_out) == 10, "ten steps, ten jobs: what was under way was taken up, not given out again"
    assert all(campaign.attempts(run.id) == [1] for run in campaign.runs())
    assert not list(campaign.folder.glob(".slurm/*/*")), "nothing is awaited, and there was no fault whose log to keep"
