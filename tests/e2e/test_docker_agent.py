"""An agent's step in a container: a repository to work in, a patch that is judged. Needs an engine: `make test-docker`."""

from pathlib import Path

import pytest

from rexbench.agent.settings import Agent
from rexbench.agent.step import run_agent
from rexbench.api.bench import Bench
from rexbench.campaign.models import resolve_script
from rexbench.gateway.exchange import read_exchanges
from rexbench.gateway.models import scripted_model
from rexbench.gateway.script import Script
from rexbench.record.model import Limits
from rexbench.task.folder import Task
from tests.agent.conftest import tiny_command
from tests.conftest import CONFIGURED
from tests.trials import evaluate

ENGINE = CONFIGURED.any_sandbox("docker")
pytestmark = [pytest.mark.docker, pytest.mark.skipif(ENGINE.missing() is not None, reason=f"{ENGINE.missing()}")]


def test_an_agent_solves_the_task_in_a_container(toy: Task, home: Path, tmp_path: Path) -> None:
    turns = [
        {"shell": "git status --short && git log --format=%s; cat /sys/class/net/*/operstate"},
        {"edit": {"patch": "vault:gold"}},
        {"finish": "Done."},
    ]
    model = scripted_model("scripted:test", resolve_script(Script.model_validate({"turns": turns}), toy))
    settings = Agent("command", limits=Limits(seconds=120), options={"command": tiny_command()})
    docker = Bench(sandbox="docker")
    into = tmp_path / "attempt"
    into.mkdir()
    step = run_agent(toy, "none", settings, model, docker, into)
    assert (step.outcome, step.turns, step.sandbox) == ("finished", 3, "docker"), step.detail
    second = list(read_exchanges(into / "exchanges.jsonl.gz"))[1]
    seen = second.request["messages"][-1]["content"].split()
    assert len(seen) > 1 and "fatal:" not in seen and seen[-1] == "unknown", "a clean repository of one commit, loopback alone"
    assert evaluate(toy, (into / "patch.diff").read_bytes(), 5, docker).outcome == "success"
