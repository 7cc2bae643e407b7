"""Plans: multiplied out evenly, read strictly, refused in one sentence."""

from pathlib import Path

import pytest

from rexbench.agent.settings import Agent, read_duration
from rexbench.campaign.plan import Plan, find_agents, plan_runs, read_hints, read_presets
from rexbench.errors import RexbenchError


def test_a_plan_is_every_combination_repetition_by_repetition() -> None:
    agents = (Agent("gold"), Agent("nop"))
    plan = Plan(agents=agents, tasks=("a", "b"), hints=("none", "detailed"), runs=3)
    runs = plan_runs(plan)
    assert len(runs) == len({run.id for run in runs}) == 24
    assert [run.repetition for run in runs] == [1] * 8 + [2] * 8 + [3] * 8
    assert runs[0].id == "gold/a/none/1"


def test_the_nine_published_agents_are_presets_in_the_papers_condition() -> None:
    published = [spec for spec in read_presets() if spec.condition == "paper"]
    assert len(published) == 9
    assert {spec.agent for spec in published} == {"aider", "openhands", "claude-code"}
    assert find_agents("published").agent == tuple(published)


def test_agents_come_from_presets_controls_and_files_together(tmp_path: Path) -> None:
    path = tmp_path / "agents.toml"
    path.write_text('runs = 4\n[[agent]]\nname = "mine"\nagent = "aider"\nmodel = "openai/x"\ntime_limit = "45m"\n')
    found = find_agents(f"gold,claude-code-sonnet-4-5,{path}")
    assert [spec.name for spec in found.agent] == ["gold", "claude-code-sonnet-4-5", "mine"]
    assert found.agent[-1].limits.seconds == 2700 and found.runs == 4


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ('[[agent]]\nname = "a"\nagent = "aider"\nbudget_us = 3\n', "did you mean budget_usd"),
        ('[[agent]]\nname = "a b"\nagent = "aider"\n', "agent.0.name"),
        ("[[agent]\n", "is not TOML"),
        ('runs = 0\n[[agent]]\nname = "a"\nagent = "nop"\n', "runs: input should be greater than or equal to 1"),
    ],
)
def test_a_broken_file_is_refused_in_one_sentence(content: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "agents.toml"
    path.write_text(content)
    with pytest.raises(RexbenchError, match=complaint):
        find_agents(str(path))


def test_a_campaign_file_may_say_all(tmp_path: Path) -> None:
    path = tmp_path / "campaign.toml"
    path.write_text('tasks = "all"\nhints = "all"\nbudget_usd = 20\n[[agent]]\nname = "a"\nagent = "nop"\n')
    found = find_agents(str(path))
    assert (found.tasks, found.hints, found.budget_usd) == (("all",), ("all",), 20)


def test_an_unknown_preset_names_the_nearest() -> None:
    with pytest.raises(RexbenchError, match="did you mean claude-code-sonnet-4-5"):
        find_agents("claude-code-sonet-4-5")


def test_two_agents_of_one_name_are_refused() -> None:
    with pytest.raises(RexbenchError, match="Two agents have the name"):
        find_agents("gold,gold")


def test_durations_and_hint_levels_are_read() -> None:
    assert [read_duration(text) for text in ("90", "90s", "1.5m", "2h")] == [90, 90, 90, 7200]
    assert read_hints("all") == ("none", "hints", "detailed") and read_hints("detailed,none") == ("none", "detailed")
    with pytest.raises(RexbenchError, match="no duration"):
        read_duration("soon")
    with pytest.raises(RexbenchError, match="no hint level 'some'"):
        read_hints("some")
