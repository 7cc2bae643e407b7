"""`rexbench demo` on scored tasks."""

import json
import os
import subprocess
import sys
from pathlib import Path

from rexbench.task.folder import Task
from rexbench.task.scaffold import new_task

REXBENCH = Path(sys.executable).parent / "rexbench"


def demo(*arguments: str, status: int = 0, columns: int = 80) -> str:
    command = [REXBENCH, "demo", "--jobs", "1", "--variant-seed", "9", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"COLUMNS": str(columns)})
    assert done.returncode == status and "Traceback" not in done.stderr, done.stdout + done.stderr
    return done.stdout if status == 0 else done.stderr


def test_figures_stand_beside_gold_where_there_is_a_scored_task(toy: Task, tasks: Path) -> None:
    assert "ceiling" not in demo()
    new_task(tasks / "signals", scored=True)
    assert "signals" not in demo()
    told = demo("toy", "signals")
    head = next(line for line in told.splitlines() if line.startswith("task"))
    assert head.split() == ["task", "gold", "gold", "s", "base", "figure", "score", "ceiling", "nop"]
    (row,) = (line.split() for line in told.splitlines() if line.startswith("signals"))
    assert row[1] == "success" and row[-1] == "empty_patch" and float(row[3]) > float(row[4]) > float(row[6]) and row[5] == "1.00"
    (plain,) = (line.split() for line in told.splitlines() if line.startswith("toy"))
    assert len(plain) == 4 and max(map(len, told.splitlines())) <= 80


def test_the_frontier_is_the_scored_tasks_alone(toy: Task, tasks: Path) -> None:
    assert "This suite has no scored task" in demo("--frontier", status=2)
    assert "Of toy, no task is scored" in demo("--frontier", "toy", status=2)
    new_task(tasks / "signals", scored=True)
    told = demo("--frontier")
    assert "signals" in told and "toy" not in told and "nop" not in told and "1.00" in told
    answer = json.loads(demo("--frontier", "--json"))
    assert [(each["task"], each["agent"], each["outcome"]) for each in answer] == [("signals", "gold", "success")]
    assert answer[0]["evaluations"][0]["figure"]["base"] > answer[0]["evaluations"][0]["figure"]["gold"]
