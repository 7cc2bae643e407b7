"""Captures: what an agent had on the way, taken beside its work, and judged afterwards."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from rexbench.agent.captures import Captures, read_captures
from rexbench.agent.settings import Agent
from rexbench.api.bench import Bench
from rexbench.api.curves import judge_curves
from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import Plan
from rexbench.record.curve import read_curve
from rexbench.reports.content import make_content
from rexbench.task.folder import Task
from rexbench.task.scaffold import new_task
from tests.agent.conftest import tiny_command

REXBENCH = Path(sys.executable).parent / "rexbench"
LATE: list[dict[str, Any]] = [{"shell": "sleep 6"}, {"edit": {"patch": "vault:gold"}}, {"finish": "Done."}]


@pytest.fixture
def scored(tasks: Path, bench: Bench) -> Task:
    new_task(tasks / "signals", scored=True)
    return bench.task("signals")


def scripted(tmp_path: Path, turns: list[dict[str, Any]], **changes: Any) -> Agent:
    path = tmp_path / "late.yaml"
    path.write_text(yaml.safe_dump({"turns": turns, "price_as": "anthropic/claude-sonnet-4-5"}))
    options = {"command": tiny_command()}
    return Agent("command", name="late", model=f"scripted:{path}", retry_seconds=1.0, time_limit=60.0, options=options, **changes)


def campaign_of(agent: Agent, bench: Bench, tmp_path: Path, task: str = "signals") -> Campaign:
    folder = tmp_path / "campaign"
    bench.resume(Campaign.create(folder, Plan(agents=(agent,), tasks=(task,), seeds={task: (7,)}), bench.home.secret()).folder)
    return Campaign.open(folder)


def test_one_run_tells_how_its_score_grew(scored: Task, bench: Bench, tmp_path: Path) -> None:
    campaign = campaign_of(scripted(tmp_path, LATE, captures=(0.02,)), bench, tmp_path)
    (run,) = campaign.runs()
    assert (run.outcome, run.score) == ("success", pytest.approx(1.0, abs=0.05))
    assert read_captures(campaign.attempt_folder(run.id, 1)) == {0.02: b""}, "the agent was asleep, and was not stopped"
    (points,) = judge_curves(bench, campaign).values()
    assert [(point.outcome, point.score) for point in points] == [("empty_patch", 0.0), ("success", run.score)]
    assert points[0].minutes == 0.02 and points[1].minutes > 0.1 and points[1].usd == run.step.cost_usd
    assert points[0].usd is not None and points[0].usd < (run.step.cost_usd or 0.0)
    assert read_curve(campaign.run_folder(run.id)) == points
    table = make_content([campaign.folder]).table("score_over_time")
    assert table and [row["minutes"] for row in table.records()] == ["0.02", "end"]
    told = subprocess.run(
        [REXBENCH, "curve", campaign.folder, "--json"], capture_output=True, text=True, check=True, env=os.environ
    )
    assert [point["score"] for point in json.loads(told.stdout)[run.id]] == [0.0, run.score]


def test_runs_of_replication_tasks_are_not_captured_unless_that_is_asked_for(toy: Task, bench: Bench, tmp_path: Path) -> None:
    campaign = campaign_of(scripted(tmp_path, [{"shell": "sleep 2"}, {"finish": "Done."}]), bench, tmp_path, "toy")
    (run,) = campaign.runs()
    assert not (campaign.attempt_folder(run.id, 1) / "captures").exists() and judge_curves(bench, campaign) == {}
    told = subprocess.run([REXBENCH, "curve", campaign.folder], capture_output=True, text=True, check=True, env=os.environ)
    assert "No run of this campaign has captures" in told.stdout


def test_captures_are_due_in_turn_and_only_once_and_cost_a_hundredth_at_most(
    scored: Task, bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock is ours here: what a capture takes is told, not waited for."""
    clock = [0.0]
    monkeypatch.setattr("rexbench.agent.captures.time.monotonic", lambda: clock[0])
    bench.workspace(scored, tmp_path / "work")
    took: list[float] = []

    class Slow(Captures):
        def _take(self, minutes: float) -> None:
            super()._take(minutes)
            took.append(minutes)
            self._spent += 6.0

    (tmp_path / "into").mkdir()
    captures = Slow(scored, tmp_path / "work", bench.home, tmp_path / "into", (2.0, 1.0, 3.0))
    for minutes in (0.0, 0.9, 1.0, 1.5, 2.0, 3.0, 9.9, 10.1, 10.2, 21.0, 30.0):
        clock[0] = 60 * minutes
        if minutes == 0.0:
            captures()
            captures.begin()
        captures()
        captures.end()
    assert took == [1.0, 2.0, 3.0], "six seconds are a hundredth of ten minutes: the second is taken then, the third at twenty"
    assert set(read_captures(tmp_path / "into")) == {1.0, 2.0, 3.0}


def test_a_capture_that_cannot_be_taken_stops_nothing(scored: Task, bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "into").mkdir()
    captures = Captures(scored, tmp_path / "no-such-tree", bench.home, tmp_path / "into", (0.0,))
    captures.begin()
    captures()
    captures.end()
    assert read_captures(tmp_path / "into") == {}
