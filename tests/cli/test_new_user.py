"""What somebody meets on the first day: relative folders, other folders, wrong folders, forgotten options, small terminals."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from rexbench.task.folder import Task
from rexbench.task.scaffold import new_task

REXBENCH = Path(sys.executable).parent / "rexbench"


def call(*arguments: str, at: Path | None = None, columns: int = 80, **variables: str) -> subprocess.CompletedProcess[str]:
    """The program, called from a folder with a terminal of this width."""
    done = subprocess.run(
        [REXBENCH, *arguments],
        cwd=at,
        env=os.environ | {"COLUMNS": str(columns)} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture
def away(tmp_path: Path) -> Path:
    """A working folder that is neither the repository nor the home."""
    folder = tmp_path / "away"
    folder.mkdir()
    return folder


def test_a_workspace_may_be_named_relative_to_where_one_is(toy: Task, away: Path) -> None:
    assert call("task", "workspace", "toy", "work", at=away).returncode == 0
    assert (away / "work" / "instructions.md").is_file()
    (away / "work" / "run.sh").write_text("exit 3\n")
    told = call("evaluate", "work", "--task", "toy", "--json", at=away)
    assert json.loads(told.stdout)["outcome"] == "execution_failed"
    (away / "fix.patch").write_text(call("task", "diff", "toy", "work", at=away).stdout)
    told = call("evaluate", "../away/fix.patch", "--task", "toy", "--json", at=away)
    assert json.loads(told.stdout)["outcome"] == "execution_failed"


def test_home_and_tasks_may_be_relative(toy: Task, away: Path, tmp_path: Path) -> None:
    told = call("task", "list", "--json", at=away, REXBENCH_HOME="../home", REXBENCH_TASKS="../tasks")
    assert [row["id"] for row in json.loads(told.stdout)] == ["toy"]
    (away / "fix.patch").write_bytes(toy.vault.gold)
    named = {"REXBENCH_HOME": "../home", "REXBENCH_TASKS": "../tasks"}
    assert json.loads(call("evaluate", "fix.patch", "--task", "toy", "--json", at=away, **named).stdout)["outcome"] == "success"


def test_a_campaign_with_a_relative_script_is_resumed_from_anywhere(toy: Task, away: Path, tmp_path: Path) -> None:
    (away / "right.yaml").write_text("- finish: Done.\n")
    agent = ["--agent", "command", "--command", "true", "--model", "scripted:right.yaml"]
    assert call("run", *agent, "--task", "toy", "--out", "campaign", at=away).returncode == 0
    (run,) = (away / "campaign").glob("runs/*/*/*/*/run.json")
    run.unlink()
    for attempt in run.parent.glob("attempt*/agent.json"):
        attempt.unlink()
    again = call("run", "--resume", str(away / "campaign"), at=tmp_path)
    assert again.returncode == 0 and run.is_file(), again.stderr


def test_a_forgotten_task_is_an_error_that_names_the_whole_suite(toy: Task, home: Path) -> None:
    told = call("run", "--agents", "nop")
    assert told.returncode == 2 and "--tasks all" in told.stderr
    assert not (home / "campaigns").exists()


def test_a_new_task_lies_in_the_working_folder(toy: Task, away: Path) -> None:
    assert "rexbench task lint ./mine" in call("task", "new", "mine", at=away).stdout
    assert (away / "mine" / "task.toml").is_file() and not (toy.folder.parent / "mine").exists()
    assert "mine: no errors" in call("task", "lint", "./mine", at=away).stdout


def test_a_folder_that_is_no_workspace_is_told_in_one_sentence(toy: Task, away: Path) -> None:
    (away / "holiday.txt").write_text("x")
    told = call("evaluate", ".", "--task", "toy", at=away)
    assert told.returncode == 2 and "is no workspace of toy" in told.stderr and told.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["task", "show", "nothing"], 2),
        (["evaluate", "missing.patch", "--task", "toy"], 2),
        (["run", "--agents", "nop"], 2),
        (["run", "--agents", "nop", "--task", "toy", "--runs", "none"], 2),
        (["evaluate", "missing.patch", "--no-such-option"], 2),
        (["show", "nothing"], 2),
    ],
)
def test_who_asks_for_json_is_told_of_failures_in_json(toy: Task, away: Path, arguments: list[str], status: int) -> None:
    told = call(*arguments, "--json", at=away)
    answer = json.loads(told.stdout)
    assert told.returncode == status == answer["status"]
    assert answer["error"] and told.stderr == f"rexbench: {answer['error']}\n"


def test_an_interrupted_campaign_says_how_to_go_on(toy: Task, home: Path, away: Path) -> None:
    (away / "script.yaml").write_text("- finish: Done.\n")
    slow = ["--agent", "command", "--command", "touch begun; sleep 60", "--model", "scripted:script.yaml"]
    program = subprocess.Popen(
        [REXBENCH, "run", *slow, "--task", "toy", "--out", "campaign"],
        cwd=away,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not list(home.glob("scratch/agent-*/workspace/begun")):
        assert program.poll() is None
        time.sleep(0.1)
    os.killpg(program.pid, signal.SIGINT)
    _, told = program.communicate()
    assert program.returncode == 130
    assert f"rexbench run --resume {away / 'campaign'}\n" in told and "Traceback" not in told


def test_called_with_nothing_it_prints_its_usage_as_it_is(home: Path) -> None:
    told = call(columns=60)
    assert told.returncode == 2 and told.stderr == ""
    lines = told.stdout.splitlines()
    assert lines[0] == "Usage: rexbench [OPTIONS] COMMAND [ARGS]..." and max(map(len, lines)) <= 60
    assert {"evaluate", "run", "report", "task"} <= {line.split()[0] for line in lines if line.startswith("  ")}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_for_a_shell_is_shown(home: Path, shell: str) -> None:
    told = call("--show-completion", shell, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")  # whatever the tests are started from
    assert told.returncode == 0 and "_REXBENCH_COMPLETE" in told.stdout


def test_commands_are_completed(home: Path) -> None:
    told = call(_REXBENCH_COMPLETE="complete_bash", COMP_WORDS="rexbench task ch", COMP_CWORD="2")
    assert told.stdout.split() == ["check"]


LONG = "a-task-with-a-name-that-is-longer-than-most-names-of-tasks"


@pytest.fixture
def campaign(toy: Task, away: Path) -> Path:
    """Controls on two tasks, one of them with a long name."""
    new_task(toy.folder.parent / LONG)
    assert call("run", "--agents", "gold,nop", "--tasks", "all", "--out", "campaign", at=away).returncode == 0
    return away / "campaign"


def test_ids_are_whole_in_every_table_at_sixty_columns(campaign: Path, away: Path) -> None:
    run = f"gold/{LONG}/none/1"
    commands: list[tuple[list[str], str]] = [
        (["task", "list"], LONG),
        (["task", "check", LONG, "--variants", "1", "--only", "gold"], "gold"),
        (["task", "show", LONG], LONG),
        (["run", "--resume", "campaign"], run),
        (["run", "--agents", "openhands-claude-3-7-sonnet", "--tasks", "all", "--dry-run"], "openhands-claude-3-7-sonnet"),
        (["report", "campaign"], "gold"),
        (["agents", "list"], "mini-swe-agent"),
        (["demo", "--variant-seed", "5"], LONG),
        (["doctor"], "environment base"),
        (["show", f"campaign/runs/{run}"], "mean_of_medians"),
    ]
    broken = []
    for arguments, wanted in commands:
        done = call(*arguments, at=away, columns=60)
        told = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)
        if done.returncode or wanted not in told:
            broken.append((arguments, done.returncode, told, done.stderr))
    assert broken == []


def test_one_run_is_shown_for_people_and_for_machines(campaign: Path, away: Path) -> None:
    told = call("show", "campaign/runs/gold/toy/none/1", at=away)
    assert "gold/toy/none/1: success" in told.stdout and "mean_of_medians" in told.stdout
    assert str(campaign / "runs" / "gold" / "toy" / "none" / "1") in told.stdout
    assert json.loads(call("show", "campaign/runs/nop/toy/none/1", "--json", at=away).stdout)["outcome"] == "empty_patch"
    elsewhere = call("show", "campaign", at=away)
    assert elsewhere.returncode == 2 and "CAMPAIGN/runs/AGENT/TASK/HINTS/N" in elsewhere.stderr
    (campaign / "runs/gold/toy/none/1/run.json").unlink()
    waiting = call("show", "campaign/runs/gold/toy/none/1", at=away)
    assert waiting.returncode == 2 and f"rexbench run --resume {campaign}" in waiting.stderr


def test_options_of_run_stand_in_groups(home: Path) -> None:
    told = call("run", "--help").stdout
    headings = [line for line in told.splitlines() if re.fullmatch(r"[A-Z][^:]*:", line)]
    assert len(headings) >= 4 and told.index("--agent") < told.index("--resume")


def test_a_mistyped_version_of_an_agent_is_a_wrong_call(home: Path, tmp_path: Path) -> None:
    """From a folder of wheels, which has the program in another version."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    with zipfile.ZipFile(wheels / "mini_swe_agent-1.0-py3-none-any.whl", "w") as wheel:
        described = {"METADATA": "Metadata-Version: 2.1\nName: mini-swe-agent\nVersion: 1.0\n", "RECORD": ""}
        described["WHEEL"] = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        for name, content in described.items():
            wheel.writestr(f"mini_swe_agent-1.0.dist-info/{name}", content)
    told = call("agents", "install", "mini-swe-agent@99.99", UV_NO_INDEX="1", UV_FIND_LINKS=str(wheels))
    assert told.returncode == 2 and "no version 99.99 of mini-swe-agent" in told.stderr, told.stderr
    assert "99.99" not in call("agents", "list").stdout
