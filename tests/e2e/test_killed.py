"""Killed with -9 at any moment: no process, no broken record, nothing lost, nothing done twice."""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rexbench.task.scaffold import new_task
from tests.e2e.processes import wait_until_gone

REXBENCH = Path(sys.executable).parent / "rexbench"
TASKS, KILLS = 6, 20
IGNORED = {"written_at", "seconds", "cpu_seconds", "peak_memory_mb"}


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several small tasks whose experiments take long enough to be hit."""
    folder = tmp_path / "tasks"
    folder.mkdir()
    for at in range(TASKS):
        made = new_task(folder / f"toy-{at}")
        script = made / "repo" / "run.sh"
        script.write_text(script.read_text() + "sleep 0.3\n")
    monkeypatch.setenv("REXBENCH_TASKS", str(folder))


def start(home: Path) -> subprocess.Popen[bytes]:
    variables = os.environ | {"REXBENCH_HOME": str(home)}
    command = [REXBENCH, "demo", "--jobs", "2", "--variant-seed", "11"]
    return subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def records(home: Path) -> dict[str, dict[str, object]]:
    """Every record by its path, less what the clock decides; raises where one is not whole."""
    found = {}
    for path in sorted([*home.glob("executions/*/*/execution.json"), *home.glob("evaluations/*/*.json")]):
        content = json.loads(path.read_text())
        found[path.relative_to(home).as_posix()] = {name: value for name, value in content.items() if name not in IGNORED}
    return found


def written(home: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in home.glob("executions/*/*/execution.json")}


def test_a_demo_killed_at_random_moments_ends_with_the_same_records(tmp_path: Path, suite: None, environments: Path) -> None:
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    for home in (undisturbed, killed):
        home.mkdir()
        (home / "environments").symlink_to(environments)
    began = time.monotonic()
    assert start(undisturbed).wait() == 0
    whole = time.monotonic() - began

    rng = random.Random(0)
    interrupted = 0
    longest = max(0.6, 3 * whole / KILLS)  # so short that a machine which is suddenly free does not end it all at once
    for _ in range(KILLS):
        before = written(killed)
        program = start(killed)
        time.sleep(rng.uniform(0.05, longest))
        interrupted += program.poll() is None
        program.kill()
        program.wait()
        assert wait_until_gone(killed) == []
        records(killed)
        after = written(killed)
        assert {path: after[path] for path in before} == before, "a finished execution was done again"

    assert start(killed).wait() == 0
    assert interrupted >= 3, "the program was hardly ever hit; the test shows nothing"
    assert records(killed) == records(undisturbed)
    assert not (killed / "superseded").exists()
    assert not list((killed / "scratch").glob("*"))
