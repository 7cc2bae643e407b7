"""A campaign of 540 runs, killed with -9 twenty times and resumed each time: nothing lost, nothing twice, little repeated."""

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
TASKS, REPETITIONS, KILLS = 6, 30, 20
TOTAL = TASKS * REPETITIONS * 3


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "tasks"
    folder.mkdir()
    for at in range(TASKS):
        new_task(folder / f"toy-{at}")
    monkeypatch.setenv("REXBENCH_TASKS", str(folder))


def start(home: Path, *arguments: str) -> subprocess.Popen[bytes]:
    variables = os.environ | {"REXBENCH_HOME": str(home)}
    return subprocess.Popen(
        [REXBENCH, "run", *arguments, "--jobs", "2"], env=variables, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def verdicts(campaign: Path) -> int:
    return sum(1 for _ in campaign.glob("runs/*/*/*/*/run.json"))


def is_draft(path: Path) -> bool:
    """Whether it is no record of a run: half written, or of what goes on now."""
    return path.name.startswith(".") or ".scratch" in path.parts or path.name == "underway.json"


def wait_for(campaign: Path, runs: int, program: subprocess.Popen[bytes]) -> None:
    """Return when the campaign has this many verdicts. The clock would hit a fast machine's campaign too late."""
    while verdicts(campaign) < runs and program.poll() is None:
        time.sleep(0.02)


def test_nothing_is_lost_or_done_twice(tmp_path: Path, suite: None, environments: Path) -> None:
    home, campaign = tmp_path / "home", tmp_path / "campaign"
    home.mkdir()
    (home / "environments").symlink_to(environments)
    rng = random.Random(0)
    program = start(home, "--agents", "nop", "--tasks", "all", "--hints", "all", "--runs", str(REPETITIONS), "--out", str(campaign))
    while not (campaign / "campaign.json").exists() and program.poll() is None:
        time.sleep(0.05)  # before it there is nothing to resume, and a busy machine takes its time
    killed = repeated = 0
    seen: dict[Path, int] = {}
    for _ in range(KILLS):
        wait_for(campaign, verdicts(campaign) + rng.randint(0, 8), program)
        time.sleep(rng.uniform(0, 0.05))
        killed += program.poll() is None
        program.kill()
        program.wait()
        assert wait_until_gone(campaign) == []
        repeated += len(list((campaign / ".scratch").glob("*"))) if (campaign / ".scratch").exists() else 0
        now = {path: path.stat().st_mtime_ns for path in campaign.rglob("*.json") if not is_draft(path)}
        assert {path: now.get(path) for path in seen} == seen, "what was finished was lost or done again"
        seen = now
        program = start(home, "--resume", str(campaign))
    assert program.wait() == 0
    records = [json.loads(path.read_text()) for path in campaign.glob("runs/*/*/*/*/run.json")]
    assert len(records) == len({record["id"] for record in records}) == TOTAL
    assert {record["outcome"] for record in records} == {"empty_patch"}
    assert len(list(campaign.glob("runs/*/*/*/*/attempt-*"))) == TOTAL, "an attempt was made twice"
    print(f"killed {killed} times, {repeated} steps were in flight")
    assert killed >= KILLS // 2, "the campaign was hardly ever hit; the test shows nothing"
    # Work in flight when a kill hits is all that is ever repeated: at most two steps a kill, of two steps a run.
    assert repeated <= 2 * KILLS and 2 * KILLS <= 0.05 * 2 * TOTAL
