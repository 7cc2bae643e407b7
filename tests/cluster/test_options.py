"""Options of the cluster executors: read, completed with what a step may need, refused in one sentence; no cluster needed."""

import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest

from rexbench.agent.settings import Agent
from rexbench.api.bench import Bench
from rexbench.campaign.executors.ledger import Entry, Ledger
from rexbench.campaign.executors.slurm.executor import jobs_with
from rexbench.campaign.executors.slurm.options import job_parameters, read_minutes, read_slurm_options
from rexbench.campaign.executors.slurm.queue import Seen
from rexbench.campaign.folder import Campaign
from rexbench.campaign.runs import CampaignRuns
from rexbench.campaign.undertaking import Needs, Step
from rexbench.cli.executors import choose_executor
from rexbench.errors import RexbenchError
from rexbench.task.folder import Task
from tests.cluster.conftest import Started

NEEDS = Needs(minutes=40, memory_mb=7024)


def step_of(campaign: Campaign, kind: Literal["agent", "verdict"] = "agent") -> Step:
    return Step(str(campaign.folder), "gold/toy/none/1", kind)


def needs_of(campaign: Campaign, kind: Literal["agent", "verdict"] = "agent") -> Needs:
    return CampaignRuns(campaign).needs(step_of(campaign, kind), Bench())


def test_options_are_sbatchs_own_and_values_may_hold_commas() -> None:
    found = read_slurm_options("partition=gpu,gres=gpu:1,exclude=n1,n2,time=12:00:00,mem_per_cpu=4G")
    assert found == {"partition": "gpu", "gres": "gpu:1", "exclude": "n1,n2", "time": "12:00:00", "mem-per-cpu": "4G"}


def test_an_option_without_a_value_is_no_part_of_the_one_before() -> None:
    found = read_slurm_options("partition=gpu,exclusive,no-requeue,account=lab")
    assert found == {"partition": "gpu", "exclusive": "", "no-requeue": "", "account": "lab"}
    passed = job_parameters(found, NEEDS)["additional_parameters"]
    assert passed["exclusive"] is True and passed["partition"] == "gpu"


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("90", 90), ("90:30", 91), ("12:00:00", 720), ("1-12", 2160), ("1-00:30", 1470), ("2-01:00:00", 2940)],
)
def test_times_are_read_as_slurm_reads_them(text: str, minutes: int) -> None:
    assert read_minutes(text) == minutes


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("gpu", "no option"), ("array=1-3", "cannot set array"), ("output=x", "cannot set output"), ("time=soon", "no time")],
)
def test_what_cannot_be_passed_on_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(RexbenchError, match=complaint):
        read_slurm_options(text)


def test_a_job_asks_for_what_its_step_may_need_unless_told_otherwise() -> None:
    asked = job_parameters({}, NEEDS)
    assert asked["time"] == 40 and asked["additional_parameters"]["mem"] == "7024M"
    asked = job_parameters({"mem-per-cpu": "4G", "time": "2:00:00", "account": "lab"}, NEEDS)
    assert asked["time"] == 120 and "mem" not in asked["additional_parameters"]
    assert asked["additional_parameters"]["account"] == "lab"


def test_slurm_may_not_end_a_step_before_its_own_limit() -> None:
    with pytest.raises(RexbenchError, match="too short"):
        job_parameters({"time": "30"}, NEEDS)


def test_needs_follow_the_limits_of_the_agent_and_of_the_experiment(started: Started) -> None:
    campaign = started(Agent(name="gold", agent="gold", time_limit=3600, memory_mb=4000))
    assert needs_of(campaign) == Needs(70, 5024)
    limits = Bench().task("toy").spec.limits
    assert needs_of(campaign, "verdict").memory_mb == limits.memory_mb + 1024


def test_a_control_asks_for_no_gpu_though_its_task_does(started: Started, toy: Task) -> None:
    file = toy.folder / "task.toml"
    file.write_text(file.read_text().replace("[limits]\n", "[limits]\ngpus = 1\n"))
    campaign = started(folders={"toy": str(toy.folder)})
    judged = needs_of(campaign, "verdict")
    assert needs_of(campaign).gpus == 0 and judged.gpus == 1
    assert job_parameters({}, judged)["additional_parameters"]["gres"] == "gpu:1"
    assert "gres" not in job_parameters({"gpus": "1"}, judged)["additional_parameters"]


@pytest.mark.parametrize(("count", "found"), [(1, ("7",)), (3, ("7_0", "7_1", "7_2"))])
def test_jobs_whose_numbers_were_not_written_down_are_found_by_their_token(count: int, found: tuple[str, ...]) -> None:
    alive = {number: Seen(number, "RUNNING", 0, "mine", "", "n1") for number in (("7",) if count == 1 else ("7_2", "7_0"))}
    alive["8"] = Seen("8", "RUNNING", 0, "another's", "", "n1")
    assert jobs_with("mine", alive, count) == found
    assert jobs_with("nobody's", alive, count) == ()


def test_a_ledger_keeps_what_was_given_out_until_it_is_forgotten(started: Started) -> None:
    campaign = started()
    ledger = Ledger(campaign.folder / ".slurm" / "ledger")
    ledger.note(Entry(token="abc", steps=(step_of(campaign),)))
    ledger.note(Entry(token="abc", steps=(step_of(campaign),), jobs=("17",)))
    (found,) = ledger.entries()
    assert found.jobs == ("17",) and found.steps == (step_of(campaign),)
    ledger.forget("abc")
    assert ledger.entries() == []


def test_a_step_is_recorded_once_its_file_is_there(started: Started) -> None:
    campaign = started()
    step, runs = step_of(campaign), CampaignRuns(campaign)
    assert not runs.is_recorded(step)
    folder = campaign.attempt_folder(step.name, 1)
    folder.mkdir(parents=True)
    (folder / "agent.json").write_text("{}")
    assert runs.is_recorded(step) and not runs.is_recorded(step_of(campaign, "verdict"))


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (("cloud", 1, "", None, ""), "no executor 'cloud'"),
        (("local", 1, "time=1", None, ""), "--slurm says nothing to --executor local"),
        (("slurm", 1, "", None, "tcp://x"), "--dask says nothing to --executor slurm"),
        (("local", 1, "", 5, ""), "on this machine it is --jobs"),
        (("dask", 1, "", None, ""), "needs a scheduler"),
    ],
)
def test_options_of_another_executor_are_a_mistake(given: tuple[str, int, str, int | None, str], complaint: str) -> None:
    with pytest.raises(RexbenchError, match=complaint):
        choose_executor(*given)


@pytest.mark.parametrize(("executor", "package"), [("slurm", "submitit"), ("dask", "distributed")])
def test_a_missing_extra_names_the_command_that_installs_it(executor: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(RexbenchError, match=rf"pip install 'rexbench\[{executor}\]'"):
        choose_executor(executor, 1, "", 2, "tcp://127.0.0.1:1" if executor == "dask" else "")


def test_no_cluster_library_is_imported_before_it_is_asked_for(tmp_path: Path) -> None:
    code = "import sys, rexbench.cli.main; sys.exit(bool({'submitit', 'distributed'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False).returncode == 0
