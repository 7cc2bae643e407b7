"""A campaign as logs of Inspect, read back by Inspect's own reader."""

from pathlib import Path

import pytest
import yaml
from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries
from inspect_ai.model import ChatMessageAssistant

from rexbench.agent.settings import Agent
from rexbench.api.bench import Bench
from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import Plan
from rexbench.interop.inspect.logs import export_logs
from rexbench.record.model import Limits
from rexbench.task.folder import Task
from tests.agent.conftest import tiny_command
from tests.agent.test_step import SOLVE
from tests.cli.test_cli import run


@pytest.fixture
def campaign(toy: Task, bench: Bench, tmp_path: Path) -> Campaign:
    script = tmp_path / "script.yaml"
    script.write_text(yaml.safe_dump({"turns": SOLVE}))
    tiny = Agent("command", name="tiny", model=f"scripted:{script}", options={"command": tiny_command()}, limits=Limits(seconds=60))
    return bench.run(Plan(agents=(tiny, Agent("nop")), tasks=("toy",), runs=2), tmp_path / "campaign").records


def test_messages_calls_scores_and_usage_are_read_back_as_they_were(campaign: Campaign, tmp_path: Path) -> None:
    written = export_logs(campaign, tmp_path / "logs")
    assert [path.name for path in written] == ["tiny.eval", "nop.eval"]
    log = read_eval_log(str(written[0]))
    assert (log.status, log.eval.solver, len(log.samples or [])) == ("success", "command", 2)
    found = campaign.find_run("tiny/toy/none/1")
    assert found and log.samples and log.results
    sample = log.samples[0]
    assert (sample.id, sample.epoch) == ("toy/none", 1)
    said = [message for message in sample.messages if isinstance(message, ChatMessageAssistant)]
    assert [message.text for message in said] == ["I look first.", "", "Done."]
    assert said[0].tool_calls and said[0].tool_calls[0].arguments == {"command": "cat instructions.md"}
    assert [message.role for message in sample.messages] == ["user", "assistant", "tool", "assistant", "tool", "assistant"]
    (usage,) = sample.model_usage.values()
    assert (usage.input_tokens, usage.output_tokens, usage.input_tokens_cache_read) == (2000, 115, 400)
    (score,) = (sample.scores or {}).values()
    assert isinstance(score.value, dict) and score.metadata
    assert (score.value["success"], score.metadata["outcome"]) == (1, "success")
    assert score.metadata["evaluations"][0]["key"] == found.evaluations[0].key
    assert {part.name: part.metrics["mean"].value for part in log.results.scores}["success"] == 1.0
    assert len(read_eval_log_sample_summaries(str(written[1]))) == 2


def test_a_campaign_that_is_not_done_is_told_as_cancelled(toy: Task, bench: Bench, tmp_path: Path) -> None:
    plan = Plan(agents=(Agent("nop"),), tasks=("toy",), runs=2)
    campaign = bench.run(plan, tmp_path / "campaign").records
    (campaign.run_folder("nop/toy/none/2") / "run.json").unlink()
    (path,) = export_logs(campaign, tmp_path / "logs")
    log = read_eval_log(str(path))
    assert (log.status, len(log.samples or [])) == ("cancelled", 1)


def test_the_command_names_the_logs(toy: Task, bench: Bench, tmp_path: Path) -> None:
    bench.run(Plan(agents=(Agent("nop"),), tasks=("toy",)), tmp_path / "campaign")
    assert "nop.eval" in run("export", "inspect", str(tmp_path / "campaign"))
    assert read_eval_log(str(tmp_path / "campaign" / "inspect" / "nop.eval")).status == "success"
