"""Campaigns with real workers, sandboxes and gateways on the toy task: outcomes, retries, resumption, budgets, locks."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from rexbench.agent.settings import Agent
from rexbench.api.bench import Bench
from rexbench.campaign.conduct import Event, Progress, conduct
from rexbench.campaign.executors.local import Local
from rexbench.campaign.executors.protocol import Ended
from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import Plan
from rexbench.campaign.runs import CampaignRuns
from rexbench.errors import RexbenchError
from rexbench.task.folder import Task
from rexbench.task.scaffold import new_task
from tests.agent.conftest import tiny_command

Started = Callable[..., Campaign]


@pytest.fixture
def started(toy: Task, tmp_path: Path) -> Started:
    """A campaign on the toy task, started and not yet run."""

    def start(*agents: Agent, **changes: Any) -> Campaign:
        chosen = agents or (Agent("gold"), Agent("nop"))
        return Campaign.create(tmp_path / "campaign", Plan(agents=chosen, tasks=("toy",), seeds={"toy": (7,)}, **changes))

    return start


def scripted(tmp_path: Path, turns: list[dict[str, Any]], name: str = "tiny", **changes: Any) -> Agent:
    path = tmp_path / f"{name}.yaml"
    path.write_text(yaml.safe_dump({"turns": turns, "price_as": changes.pop("price_as", None)}))
    values: dict[str, Any] = {"retry_seconds": 1.0, "time_limit": 60.0, "options": {"command": tiny_command()}}
    return Agent(name=name, agent="command", model=f"scripted:{path}", **(values | changes))


def run(campaign: Campaign, jobs: int = 2) -> tuple[Progress, list[Ended]]:
    steps: list[Ended] = []
    progress = conduct(
        CampaignRuns(campaign), Local(jobs), Bench(), lambda event: steps.append(event.ended) if event.ended else None
    )
    return progress, steps


def test_controls_come_out_as_they_must(started: Started) -> None:
    campaign = started(runs=2, hints=("none", "hints"))
    progress, _ = run(campaign)
    assert (progress.done, progress.outcomes) == (8, {"success": 4, "empty_patch": 4})
    assert {(found.agent, found.outcome) for found in campaign.runs()} == {("gold", "success"), ("nop", "empty_patch")}


def test_a_finished_campaign_is_not_done_again(started: Started) -> None:
    campaign = started()
    run(campaign)
    before = {path: path.stat().st_mtime_ns for path in campaign.folder.rglob("*.json")}
    progress, steps = run(campaign)
    assert progress.done == 2 and steps == []
    assert {path: path.stat().st_mtime_ns for path in campaign.folder.rglob("*.json")} == before


def test_an_attempt_without_a_verdict_is_only_judged(started: Started) -> None:
    campaign = started()
    run(campaign)
    (campaign.run_folder("gold/toy/none/1") / "run.json").unlink()
    _, steps = run(campaign)
    assert [(ended.step.name, ended.step.kind) for ended in steps] == [("gold/toy/none/1", "verdict")]


def test_a_solved_run_and_its_cost_are_on_record(started: Started, tmp_path: Path) -> None:
    turns = [{"edit": {"patch": "vault:gold"}, "usage": {"input": 100_000, "output": 0}}, {"finish": "Done."}]
    campaign = started(scripted(tmp_path, turns, price_as="anthropic/claude-sonnet-4-5"))
    progress, _ = run(campaign)
    (found,) = campaign.runs()
    assert found.outcome == "success" and found.step.cost_usd and found.step.cost_usd > 0.3
    assert progress.usd == found.step.cost_usd


def test_a_fault_of_ours_is_tried_again_and_every_attempt_is_kept(started: Started, tmp_path: Path) -> None:
    turns = [{"edit": {"patch": "vault:gold"}, "fault": "500", "times": 100_000}]
    campaign = started(scripted(tmp_path, turns), Agent("gold"), retries=1)
    progress, _ = run(campaign)
    assert progress.outcomes == {"success": 1}, "one bad run does not stop the rest"
    assert "no answer" in progress.given_up["tiny/toy/none/1"]
    assert campaign.attempts("tiny/toy/none/1") == [1, 2]
    assert campaign.find_run("tiny/toy/none/1") is None, "a fault of ours is no verdict"
    (tmp_path / "tiny.yaml").write_text(yaml.safe_dump([{"edit": {"patch": "vault:gold"}}, {"finish": "Done."}]))
    progress, _ = run(campaign)
    assert progress.outcomes == {"success": 2} and campaign.attempts("tiny/toy/none/1") == [1, 2, 3]


def test_a_limit_still_has_its_patch_judged(started: Started, tmp_path: Path) -> None:
    turns = [{"edit": {"patch": "vault:gold"}}, {"shell": "ls"}, {"shell": "ls"}, {"finish": "Done."}]
    campaign = started(scripted(tmp_path, turns, budget_requests=2))
    run(campaign)
    (found,) = campaign.runs()
    assert (found.step.outcome, found.outcome) == ("agent_limit", "success")


def test_the_campaigns_budget_holds_back_what_is_left(started: Started, tmp_path: Path) -> None:
    turns = [{"finish": "Done.", "usage": {"input": 1_000_000, "output": 0}}]
    campaign = started(scripted(tmp_path, turns, price_as="anthropic/claude-sonnet-4-5"), runs=5, budget_usd=7.0)
    progress, _ = run(campaign, jobs=1)
    assert progress.done == 2 and progress.held_back == 3


def test_what_the_user_must_mend_is_said_and_not_tried_again(started: Started, tmp_path: Path) -> None:
    campaign = started(scripted(tmp_path, [{"edit": {"patch": "vault:no-such"}}]))
    progress, steps = run(campaign)
    assert "has no patch 'no-such'" in progress.given_up["tiny/toy/none/1"] and len(steps) == 1


def test_two_programs_cannot_run_one_campaign(started: Started) -> None:
    campaign = started()
    with campaign.held(), pytest.raises(RexbenchError, match="Another program is running the campaign"):
        run(campaign)


def test_a_folder_in_use_is_not_started_anew(started: Started) -> None:
    campaign = started()
    with pytest.raises(RexbenchError, match="--resume"):
        Campaign.create(campaign.folder, campaign.plan)


def test_what_a_dead_worker_left_is_swept(started: Started) -> None:
    import socket

    campaign = started()
    left = campaign.folder / ".scratch" / f"{socket.gethostname()}-999999_1-abcd"
    other = campaign.folder / ".scratch" / "another-host-12_1-abcd"
    for folder in (left, other):
        folder.mkdir(parents=True)
    run(campaign)
    assert not left.exists() and other.exists(), "another machine's work is that machine's"


def test_money_spent_on_attempts_that_faults_of_ours_ended_counts_for_the_budget(started: Started, tmp_path: Path) -> None:
    spend = {"shell": "ls", "usage": {"input": 1_000_000, "output": 0}}
    turns = [spend, {"finish": "Done.", "fault": "500", "times": 100_000}]
    campaign = started(scripted(tmp_path, turns, price_as="anthropic/claude-sonnet-4-5"), runs=3, retries=0, budget_usd=5.0)
    progress, _ = run(campaign, jobs=1)
    assert progress.usd > 5 and len(progress.given_up) == 1 and progress.held_back == 2
    progress, steps = run(campaign, jobs=1)
    assert steps == [] and progress.held_back == 3, "what was spent is remembered"
    assert conduct(CampaignRuns(campaign), Local(1), Bench(), lambda event: None, budget_usd=11.0).held_back == 2


def test_a_fault_in_judging_is_on_record_and_an_attempt_that_waits_is_none(started: Started, tmp_path: Path) -> None:
    campaign = started(Agent("gold"), retries=1)
    (tmp_path / "home" / "environments").rename(tmp_path / "gone")
    (tmp_path / "home" / "environments").write_text("in the way")
    progress, _ = run(campaign)
    assert "gold/toy/none/1" in progress.given_up and campaign.has_fault("gold/toy/none/1")
    assert sorted(path.name for path in campaign.folder.rglob("fault-*.json")) == ["fault-1.json", "fault-2.json"]
    (tmp_path / "home" / "environments").unlink()
    (tmp_path / "gone").rename(tmp_path / "home" / "environments")
    progress, steps = run(campaign)
    assert progress.outcomes == {"success": 1} and [ended.step.kind for ended in steps] == ["verdict"]
    (campaign.run_folder("gold/toy/none/1") / "run.json").unlink()
    for path in campaign.folder.rglob("fault-*.json"):
        path.unlink()
    assert not campaign.has_fault("gold/toy/none/1"), "judging was only not reached"


def test_a_killed_worker_costs_its_own_step_and_not_the_campaign(started: Started, tmp_path: Path) -> None:
    """The kernel kills what takes too much memory; a campaign of days must outlive that."""
    turns = [{"shell": "sleep 3"}, {"edit": {"patch": "vault:gold"}}, {"finish": "Done."}]
    campaign = started(scripted(tmp_path, turns), Agent("gold"))
    killed: list[int] = []

    def kill_once(event: Event) -> None:
        if event.ended and not killed:
            killed.extend(worker.pid for worker in executor._busy)
            os.kill(killed[0], signal.SIGKILL)

    executor = Local(2)
    progress = conduct(CampaignRuns(campaign), executor, Bench(), kill_once)
    assert killed and progress.outcomes == {"success": 2} and progress.given_up == {}


def test_a_bug_in_one_run_does_not_stop_the_rest(toy: Task, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    new_task(toy.folder.parent / "unseeded")
    plan = Plan(agents=(Agent("gold"),), tasks=("unseeded", "toy"), seeds={"toy": (7,)})
    progress, _ = run(Campaign.create(tmp_path / "campaign", plan))
    assert progress.outcomes == {"success": 1} and "a bug of rexbench: KeyError" in progress.given_up["gold/unseeded/none/1"]
    assert "Traceback" in capfd.readouterr().err
