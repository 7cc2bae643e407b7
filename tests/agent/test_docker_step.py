"""An agent in a container: the same step as in bubblewrap. Runs where an engine answers; `make test-docker` brings one."""

from pathlib import Path

import pytest

from rexbench.agent.step import AgentSettings, run_agent
from rexbench.campaign.steps import resolve_script
from rexbench.gateway.models import scripted_model
from rexbench.gateway.script import Script
from rexbench.record.model import RunLimits
from rexbench.sandbox.container import Container
from rexbench.task.folder import Task
from tests.agent.conftest import RunTiny, tiny_command

ENGINE = Container("docker")
pytestmark = [pytest.mark.docker, pytest.mark.skipif(ENGINE.missing() is not None, reason=f"{ENGINE.missing()}")]
TURNS = [{"edit": {"patch": "vault:gold"}}, {"finish": "Done."}]


def test_an_agent_in_a_container_leaves_the_same_patch(toy: Task, tmp_path: Path, run_tiny: RunTiny) -> None:
    expected = run_tiny(TURNS)
    model = scripted_model("scripted:test", resolve_script(Script.model_validate({"turns": TURNS}), toy))
    into = tmp_path / "docker"
    into.mkdir()
    settings = AgentSettings("command", model, RunLimits(seconds=60), options={"command": tiny_command()})
    step = run_agent(toy, "none", settings, ENGINE, into)
    assert (step.outcome, step.turns, step.patch_digest) == ("finished", 2, expected.patch_digest)
