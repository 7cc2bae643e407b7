"""Ctrl-C: no process and no half-written file stays behind, and what was finished is kept."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.campaign.reach import seal_of
from rexbench.task.folder import Task
from tests.e2e.processes import wait_until_gone

REXBENCH = Path(sys.executable).parent / "rexbench"


def start(command: list[str | Path]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        env=os.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # A shell starts background jobs with the interrupt ignored, and children inherit that; a terminal does not.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_evaluation_leaves_nothing_running_and_nothing_half_written(
    toy: Task, home: Path, tmp_path: Path, jobs: str
) -> None:
    slow = toy.repo / "run.sh"
    slow.write_text(slow.read_text() + "sleep 20\n")
    (tmp_path / "gold.patch").write_bytes(toy.vault.gold)
    command = [REXBENCH, "evaluate", tmp_path / "gold.patch", "--task", "toy", "--jobs", jobs, "--variants", "2"]
    program = start(command)
    deadline = time.monotonic() + 30
    while not list((home / "scratch").glob("execution-*/tree/results")) and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(0.3)
    os.killpg(program.pid, signal.SIGINT)
    _, told = program.communicate(timeout=20)
    assert program.returncode == 130, told
    assert b"interrupted" in told and b"Traceback" not in told
    assert wait_until_gone(home) == []
    assert not list((home / "scratch").glob("*"))
    assert not list(home.glob("executions/*/*"))


def test_an_interrupted_agent_leaves_nothing_running_and_can_be_resumed(toy: Task, home: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("- finish: Done.\n")
    slow, campaign = "touch begun; sleep 30", tmp_path / "campaign"
    command: list[str | Path] = [REXBENCH, "run", "--agent", "command", "--command", slow, "--model", f"scripted:{script}"]
    program = start([*command, "--task", "toy", "--out", campaign])
    deadline = time.monotonic() + 30
    while not list(home.glob("scratch/agent-*/workspace/begun")) and time.monotonic() < deadline:
        time.sleep(0.1)
    os.killpg(program.pid, signal.SIGINT)
    _, told = program.communicate(timeout=20)
    assert program.returncode == 130, told
    assert b"interrupted" in told and b"Traceback" not in told
    assert wait_until_gone(home) == []
    assert not list((home / "scratch").glob("*")) and not list(campaign.glob("runs/*/*/*/*/*"))
    changed = (campaign / "campaign.json").read_text().replace("sleep 30", "sleep 0")
    (campaign / "campaign.json").write_text(changed)
    (campaign / "campaign.seal").write_text(seal_of(changed.encode(), Bench().home.secret()))
    assert subprocess.run([REXBENCH, "run", "--resume", campaign], env=os.environ, check=False, capture_output=True).returncode == 0
    assert len(list(campaign.glob("runs/*/*/*/*/run.json"))) == 1
