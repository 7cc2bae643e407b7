"""Harbor's tasks in real containers. Runs where an engine answers (`make test-docker` brings one); Harbor needs Python 3.12."""

import json
import secrets
import subprocess
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.interop.harbor.folders import export_folders
from rexbench.task.folder import Task
from rexbench.task.scaffold import new_task
from tests.conftest import CONFIGURED
from tests.interop.searching import CONTROL, LINES, SEARCHES, assert_only_the_control_was_found, control_line, hidden_lines
from tests.interop.test_harbor import run_trials, with_harbor

ENGINE = CONFIGURED.any_sandbox("docker")
pytestmark = [
    pytest.mark.docker,
    pytest.mark.timeout(900),
    pytest.mark.skipif(ENGINE.missing() is not None, reason=f"{ENGINE.missing()}"),
]


def docker(*arguments: str, stdin: str | None = None) -> str:
    return subprocess.run(["docker", *arguments], input=stdin, capture_output=True, text=True, check=True).stdout


def export(tasks: list[Task], folder: Path) -> list[Path]:
    return export_folders(tasks, ["none"], folder, CONFIGURED.images.ensure("docker", "base"), "unused")


def test_a_container_of_an_exported_folder_holds_nothing_that_decides(toy: Task, bench: Bench, tmp_path: Path) -> None:
    (folder,) = export([toy], tmp_path / "out")
    name = f"rexbench-search-{secrets.token_hex(4)}"
    docker("build", "--network", "none", "--tag", name, str(folder / "environment"))
    try:
        docker("run", "--detach", "--network", "none", "--name", name, name, "sleep", "infinity")
        for at, text in ((LINES, hidden_lines(toy, bench)), (CONTROL, control_line(toy))):
            docker("exec", "--interactive", name, "sh", "-c", f"cat > {at}", stdin=text)
        found = {about: docker("exec", name, "bash", "-c", f"{command}; true") for about, command in SEARCHES.items()}
        assert docker("exec", name, "git", "log", "--format=%s") == "Start\n"
    finally:
        docker("rm", "--force", name)
        docker("rmi", "--force", name)
    assert_only_the_control_was_found(found)


@with_harbor
def test_harbor_in_docker_gives_its_oracle_one_and_its_nop_nothing_and_an_agent_finds_nothing(
    toy: Task, bench: Bench, tmp_path: Path
) -> None:
    new_task(bench.suite.folder / "world", scored=True)
    export([toy, bench.task("world")], tmp_path / "out")
    (tmp_path / "lines").write_text(hidden_lines(toy, bench) + hidden_lines(bench.task("world"), bench))
    (tmp_path / "control").write_text(control_line(toy) + control_line(bench.task("world")))
    rewards = run_trials("docker", tmp_path / "out", tmp_path / "job", "oracle", "nop", "searching")
    expected = {"oracle": 1.0, "nop": 0.0, "searching": 0.0}
    assert rewards == {(task, agent): reward for task in ("toy", "world") for agent, reward in expected.items()}
    for task in ("toy", "world"):
        assert_only_the_control_was_found(
            json.loads((tmp_path / "job" / f"{task}__searching" / "agent" / "found.json").read_text())
        )
