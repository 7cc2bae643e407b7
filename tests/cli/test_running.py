"""`rexbench run`, `agents` and `submit` as a user meets them."""

import json
from pathlib import Path

import pytest

from rexbench.task.folder import Task
from tests.cli.test_cli import run


def test_agents_are_listed_with_their_presets(home: Path) -> None:
    told = json.loads(run("agents", "list", "--json"))
    assert {"aider", "claude-code", "openhands", "mini-swe-agent", "command", "gold", "nop"} <= {
        row["agent"] for row in told["agents"]
    }
    assert {row["installed"] for row in told["agents"]} == {"no", "-"}
    assert len(told["presets"]) >= 9


def test_a_dry_run_prints_the_plan_and_starts_nothing(toy: Task, home: Path) -> None:
    told = run("run", "--agents", "published", "--tasks", "all", "--hints", "all", "--runs", "5", "--dry-run")
    assert "135 runs: 9 agents x 1 tasks x 3 hint levels x 5 repetitions" in told
    assert "published means of 8 of the 9 agents: about 58 US dollars" in told
    assert not (home / "campaigns").exists()


def test_a_campaign_is_run_resumed_packed_and_judged_again(toy: Task, tmp_path: Path) -> None:
    folder, archive = tmp_path / "campaign", tmp_path / "submission.zip"
    told = json.loads(run("run", "--agents", "gold,nop", "--tasks", "toy", "--out", str(folder), "--json"))
    assert told["outcomes"] == {"success": 1, "empty_patch": 1}
    assert "2 of 2 runs have a verdict" in run("run", "--resume", str(folder))
    run("submit", "pack", str(folder), "--out", str(archive))
    assert "no defects" in run("submit", "check", str(archive))
    judged = json.loads(run("evaluate", str(archive), "--out", str(tmp_path / "judged"), "--json"))
    assert judged["outcomes"] == told["outcomes"]


def test_predictions_are_judged_as_a_campaign(toy: Task, tmp_path: Path) -> None:
    path = tmp_path / "predictions.jsonl"
    path.write_text(json.dumps({"instance_id": "toy", "model_name_or_path": "mine", "model_patch": toy.vault.gold.decode()}) + "\n")
    told = json.loads(run("evaluate", str(path), "--json"))
    assert told["outcomes"] == {"success": 1} and told["runs"][0]["id"] == "mine/toy/none/1"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run", "--task", "toy"], "No agent is named"),
        (["run", "--agent", "aidr", "--model", "openai/x", "--task", "toy"], "did you mean aider?"),
        (["run", "--agent", "aider", "--model", "openai/x", "--task", "toy"], "rexbench agents install aider"),
        (["run", "--agent", "command", "--command", "x", "--model", "gpt", "--task", "toy"], "provider/model"),
        (["run", "--agent", "command", "--command", "x", "--model", "nobody/m", "--task", "toy"], "--base-url"),
        (["run", "--agent", "command", "--command", "x", "--model", "mistral/m", "--task", "toy"], "MISTRAL_API_KEY is not set"),
        (["run", "--agent", "command", "--command", "x", "--model", "scripted:no.yaml", "--task", "toy"], "There is no script"),
        (["run", "--agent", "command", "--command", "x", "--model", "replay:/nowhere", "--task", "toy"], "no recorded exchanges"),
        (["run", "--agents", "nop", "--task", "toy", "--hints", "few"], "no hint level 'few'"),
        (["run", "--agents", "nop", "--task", "toy", "--time-limit", "long"], "no duration"),
        (["run", "--resume", "/nowhere"], "holds no campaign"),
        (["agents", "install", "no-such"], "There is no agent program 'no-such'"),
        (["evaluate", "fix.patch"], "needs --task"),
        (["evaluate", "no.zip"], "no file no.zip"),
        (["evaluate", "no.jsonl"], "no.jsonl cannot be read"),
        (["evaluate", "no.zip", "--task", "toy"], "for a workspace or a patch alone"),
        (["submit", "check", "/"], "/ is not a plain file"),
        (["run", "--agents", "nop", "--task", "toy", "--budget-usd", "-1"], "limits.usd cannot be -1.0"),
        (["run", "--agent", "nop", "--task", "toy", "--name", "a b"], "name cannot be 'a b'"),
        (["run", "--agents", "/", "--task", "toy"], "/ is not a plain file"),
        (["run", "--resume", "/nowhere", "--runs", "3"], "--runs says nothing to --resume"),
    ],
)
def test_a_wrong_call_is_answered_with_one_sentence(
    arguments: list[str], told: str, toy: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MISTRAL_API_KEY", raising=False)
    said = run(*arguments, status=2)
    assert told in said and said.count("\n") == 1


def test_a_budget_in_money_needs_a_price(toy: Task, tmp_path: Path) -> None:
    script = tmp_path / "s.yaml"
    script.write_text("- finish: Done.\n")
    call = ["run", "--agent", "command", "--command", "true", "--model", f"scripted:{script}", "--task", "toy", "--budget-usd", "1"]
    assert "No price is known" in run(*call, status=2)
    run(*call, "--price", "3,15", "--out", str(tmp_path / "campaign"))
