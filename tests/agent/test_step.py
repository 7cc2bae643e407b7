"""An agent's step from end to end, with a real sandbox, a real gateway and a small agent: what it leaves behind."""

import os
from pathlib import Path
from typing import Any

import pytest

from rexbench.agent.flags import find_flags
from rexbench.agent.prompt import PAPER_PROMPT, make_prompt
from rexbench.agent.settings import Agent
from rexbench.agent.step import run_agent
from rexbench.agent.trajectory import Trajectory
from rexbench.api.bench import Bench
from rexbench.gateway.exchange import read_exchanges
from rexbench.gateway.models import find_model
from rexbench.gateway.wires.protocol import Answer, ToolCall, Usage
from rexbench.record.model import Limits
from rexbench.task.folder import Task
from tests.agent.conftest import RunTiny
from tests.gateway.upstream import provider
from tests.trials import evaluate

SOLVE: list[dict[str, Any]] = [
    {"say": "I look first.", "shell": "cat instructions.md", "usage": {"input": 500, "output": 20}},
    {"edit": {"patch": "vault:gold"}, "usage": {"input": 700, "output": 90, "cached": 400}},
    {"finish": "Done.", "usage": {"input": 800, "output": 5}},
]


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_a_solved_run_leaves_everything_a_reader_needs(
    streamed: bool, run_tiny: RunTiny, toy: Task, bench: Bench, tmp_path: Path
) -> None:
    step = run_tiny(SOLVE, streamed)
    assert (step.outcome, step.turns, step.requests) == ("finished", 3, 3)
    assert (step.tokens.input, step.tokens.output, step.tokens.cached) == (2000, 115, 400)
    assert step.cost_usd is None, "the price of a scripted model is not known"
    attempt = tmp_path / "attempt"
    patch = (attempt / "patch.diff").read_bytes()
    assert evaluate(toy, patch, 5, bench).outcome == "success"
    assert "instructions.md" not in step.files
    assert [exchange.ending for exchange in read_exchanges(attempt / "exchanges.jsonl.gz")] == ["whole"] * 3
    trajectory = Trajectory.model_validate_json((attempt / "trajectory.json").read_bytes())
    assert [one.source for one in trajectory.steps] == ["user", "agent", "agent", "agent"]
    shown = trajectory.steps[1].observation
    assert shown and shown.results[0].content and toy.instructions("none")[:200] in shown.results[0].content
    assert "finished: Done." in (attempt / "agent" / "stdout.log").read_text()
    assert 0 < step.model_seconds <= step.seconds


def test_tokens_are_priced_where_a_price_is_known(run_tiny: RunTiny) -> None:
    step = run_tiny([{"finish": "no", "usage": {"input": 1_000_000, "output": 0}}], price_as="anthropic/claude-sonnet-4-5")
    assert step.cost_usd is not None and step.cost_usd >= 3.0


def test_the_agent_has_no_network_no_key_and_nothing_of_the_host(run_tiny: RunTiny, tmp_path: Path, home: Path) -> None:
    connect = "python -c 'import socket; socket.create_connection((\"192.0.2.1\", 80), 3)'"
    run_tiny([{"shell": f"env; ls /; ls {home} {tmp_path}; {connect}"}, {"finish": "Done."}])
    second = list(read_exchanges(tmp_path / "attempt" / "exchanges.jsonl.gz"))[1]
    seen = second.request["messages"][-1]["content"]
    assert "Network is unreachable" in seen
    assert "vault" not in seen and "evaluations" not in seen and "No such file" in seen


def test_a_real_key_is_nowhere_in_what_a_run_leaves(toy: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    key = "sk-very-secret-9876543210"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with provider() as upstream:
        model = find_model("openai/m", os.environ, base_url=upstream.url)
        options = {"command": 'env; curl -s $GATEWAY/v1/chat/completions -d \'{"model": "m", "messages": []}\' || true'}
        into = tmp_path / "attempt"
        into.mkdir()
        run_agent(toy, "none", Agent("command", limits=Limits(seconds=30), options=options), model, Bench(), into)
    assert not [
        path for folder in (into, home) for path in folder.rglob("*") if path.is_file() and key.encode() in path.read_bytes()
    ]


def test_an_answer_that_is_hard_to_write_down_leaves_a_trajectory(
    toy: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-key")
    deep: Any = []
    for _ in range(400):
        deep = [deep]
    with provider() as upstream:
        call = ToolCall("c", "bash", {"command": deep, "half": "\udfff"})
        upstream.answer = lambda wire, body: Answer("half a \ud83d character", calls=(call,), usage=Usage(7, 7), whole=True)
        options = {"command": 'curl -s $GATEWAY/v1/chat/completions -d \'{"model": "m", "messages": []}\''}
        model = find_model("openai/m", os.environ, base_url=upstream.url)
        settings = Agent("command", limits=Limits(seconds=30), options=options)
        into = tmp_path / "attempt"
        into.mkdir()
        step = run_agent(toy, "none", settings, model, Bench(), into)
    assert (step.outcome, step.tokens.input, step.turns) == ("finished", 7, 1)
    trajectory = Trajectory.model_validate_json((into / "trajectory.json").read_bytes())
    assert trajectory.steps[-1].message == "half a ? character"
    assert find_flags(toy, b"", step, into, ()) == ()


def test_two_replays_give_the_same_patch_byte_for_byte(run_tiny: RunTiny, tmp_path: Path) -> None:
    recorded = run_tiny(SOLVE)
    model = find_model(f"replay:{tmp_path / 'attempt'}", {})
    steps = [run_tiny([{"finish": "unused"}], model=model) for _ in range(2)]
    assert [step.outcome for step in steps] == ["finished"] * 2
    assert {step.patch_digest for step in steps} == {recorded.patch_digest}
    patches = [(tmp_path / name / "patch.diff").read_bytes() for name in ("attempt", "attempt1", "attempt2")]
    assert patches[0] == patches[1] == patches[2] != b""


def test_the_papers_condition_has_one_line_of_prompt_and_no_python(run_tiny: RunTiny, tmp_path: Path) -> None:
    command = "python --version; echo status $?; cat /output/task.md"
    step = run_tiny([{"finish": "unused"}], command=command, condition="paper")
    said = (tmp_path / "attempt" / "agent" / "stdout.log").read_text()
    assert "status 126" in said and said.strip().endswith(PAPER_PROMPT)
    assert step.prompt == PAPER_PROMPT


def test_the_agent_knows_its_limits(toy: Task) -> None:
    told = make_prompt(Agent("command", limits=Limits(seconds=1800, usd=5, tokens=10**6, requests=50)))
    assert all(part in told for part in ("30 minutes", "5 US dollars", "1000000 tokens", "50 model requests"))


def test_histories_and_caches_stay_out_of_the_patch(run_tiny: RunTiny) -> None:
    mess = "mkdir -p .aider.tags .cache __pycache__ && touch .aider.tags/x .cache/x __pycache__/x.pyc .aider.chat.history.md"
    assert run_tiny([{"shell": mess}, {"finish": "Done."}]).files == ()
