"""aider, Claude Code, OpenHands and mini-swe-agent, each the real program, solve a real task and fail it by a near miss."""

import json
from pathlib import Path

import pytest
import yaml

from rexbench.agent.settings import Agent
from rexbench.agent.trajectory import Trajectory
from rexbench.api.bench import Bench
from rexbench.campaign.conduct import conduct
from rexbench.campaign.executors.local import Local
from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import Plan, read_presets
from rexbench.campaign.runs import CampaignRuns
from rexbench.campaign.undertaking import Step
from rexbench.record.model import Run
from tests.agents.conftest import need
from tests.gateway.upstream import provider

pytestmark = [pytest.mark.agents, pytest.mark.usefixtures("programs_home")]

TASK, NEAR_MISS = "explain-then-translate", "strict_greater"
PRESETS = [spec.name for spec in read_presets() if spec.condition == "paper" or spec.agent == "mini-swe-agent"]
AGENTS = ["aider", "claude-code", "openhands", "mini-swe-agent"]


def script_for(agent: str, patch: str) -> dict[str, object]:
    """The same work in the way of each program: aider must hear which files it is about before it takes edits to them."""
    task = Bench().task(TASK)
    patches = {"gold": task.vault.gold} | {f"near_misses/{name}": content for name, content in task.vault.near_misses.items()}
    names = sorted({line[6:] for line in patches[patch].decode().splitlines() if line.startswith("+++ b/")})
    look = {"say": f"I will change {', '.join(names)}.", "usage": {"input": 2100, "output": 40}}
    edit = {"say": "Now the change.", "edit": {"patch": f"vault:{patch}"}, "usage": {"input": 5200, "output": 900, "cached": 2000}}
    end = {"finish": "Done.", "usage": {"input": 6100, "output": 12}}
    if agent == "aider":
        return {"turns": [look, edit]}
    return {"turns": [look | {"shell": "ls"}, edit, end]}


def run_scripted(agent: str, patch: str, tmp_path: Path, **changes: object) -> tuple[Campaign, Run, dict[str, object]]:
    need(agent)
    script = script_for(agent, patch)
    path = tmp_path / "script.yaml"
    path.write_text(yaml.safe_dump(script))
    spec = Agent.model_validate({"name": agent, "agent": agent, "model": f"scripted:{path}", "time_limit": 120} | changes)
    campaign = Campaign.create(tmp_path / "campaign", Plan(agents=(spec,), tasks=(TASK,), seeds={TASK: (77,)}))
    progress = conduct(CampaignRuns(campaign), Local(1), Bench(), lambda event: None)
    assert not progress.given_up, progress.given_up
    (run,) = campaign.runs()
    return campaign, run, script


@pytest.mark.parametrize("agent", AGENTS)
def test_it_solves_a_task(agent: str, tmp_path: Path) -> None:
    campaign, run, script = run_scripted(agent, "gold", tmp_path)
    assert (run.step.outcome, run.outcome) == ("finished", "success"), run.step.detail + run.detail
    turns = script["turns"]
    assert isinstance(turns, list)
    assert run.step.turns == len(turns)
    assert run.step.tokens.input == sum(turn["usage"]["input"] for turn in turns)
    assert run.step.tokens.output == sum(turn["usage"]["output"] for turn in turns)
    assert run.step.tokens.cached == sum(turn["usage"].get("cached", 0) for turn in turns)
    attempt = campaign.attempt_folder(run.id, 1)
    trajectory = Trajectory.model_validate_json((attempt / "trajectory.json").read_bytes())
    assert sum(step.source == "agent" for step in trajectory.steps) == len(turns)
    assert run.step.agent_version and run.step.program_digest
    assert "gold_lines" in {flag.kind for flag in run.flags}


@pytest.mark.parametrize("agent", AGENTS)
def test_it_fails_a_task_by_a_near_miss(agent: str, tmp_path: Path) -> None:
    _, run, _ = run_scripted(agent, f"near_misses/{NEAR_MISS}", tmp_path)
    assert run.step.outcome == "finished", run.step.detail
    assert run.outcome in ("wrong_result", "broken_base"), run.detail


@pytest.mark.parametrize("agent", AGENTS)
def test_two_replays_leave_the_same_patch(agent: str, tmp_path: Path) -> None:
    campaign, run, _ = run_scripted(agent, "gold", tmp_path)
    recorded = campaign.attempt_folder(run.id, 1)
    patches = []
    for number in (1, 2):
        spec = Agent(name=agent, agent=agent, model=f"replay:{recorded}", time_limit=120, options={"edit_format": "diff"})
        plan = Plan(agents=(spec,), tasks=(TASK,), seeds={TASK: (77,)})
        again = Campaign.create(tmp_path / f"replay{number}", plan)
        conduct(CampaignRuns(again), Local(1), Bench(), lambda event: None)
        patches.append((again.attempt_folder(again.runs()[0].id, 1) / "patch.diff").read_bytes())
    assert patches[0] == patches[1] == (recorded / "patch.diff").read_bytes()


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_starts_calls_its_model_and_leaves_a_patch(
    preset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real HTTP server stands for the provider; the preset's own model name, protocol and condition are used."""
    spec = next(spec for spec in read_presets() if spec.name == preset)
    need(spec.agent)
    for variable in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "DEEPSEEK_API_KEY"):
        monkeypatch.setenv(variable, "sk-not-a-real-key")
    with provider() as upstream:
        upstream.answer = edit_for(spec.agent)
        spec = Agent.model_validate(spec.model_dump() | {"base_url": upstream.url, "time_limit": 120})
        campaign = Campaign.create(tmp_path / "campaign", Plan(agents=(spec,), tasks=(TASK,), seeds={TASK: (77,)}))
        run = f"{preset}/{TASK}/none/1"
        CampaignRuns(campaign).perform(Step(str(campaign.folder), run, "agent"), Bench())
        step = campaign.agent_step(run, 1)
    assert step and step.outcome in ("finished", "gave_up"), step and step.detail
    assert step.files == ("NOTE.md",) and step.turns >= 1
    assert {request["body"]["model"] for request in upstream.requests} == {spec.model.partition("/")[2]}
    assert "sk-not-a-real-key" not in json.dumps([path.read_text(errors="replace") for path in campaign.folder.rglob("*.log")])


def edit_for(agent: str):  # type: ignore[no-untyped-def]
    """Answers for a provider that knows one thing: make a note, and end."""
    from rexbench.gateway.dialect import answer_in_dialect, is_main
    from rexbench.gateway.script import Turn
    from rexbench.gateway.wires.protocol import Answer, Body, Usage, Wire

    turns = [{"edit": {"path": "NOTE.md", "write": "noted\n"}}, {"finish": "Done."}]
    asked = 0

    def answer(wire: Wire, body: Body) -> Answer:
        nonlocal asked
        if not is_main(wire, body):
            return Answer("ok", usage=Usage(1, 1), whole=True)
        asked += 1
        return answer_in_dialect(Turn.model_validate(turns[min(asked, 2) - 1]), wire, body, asked)

    return answer
