"""Blind attempts: laid out where nothing gives the answer away, closed with a verdict and a line of data."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rexbench.api.attempt import COLUMNS, begin_attempt, close_attempt
from rexbench.api.bench import Bench
from rexbench.errors import RexbenchError
from rexbench.task.canary import CANARY
from rexbench.task.folder import Task
from rexbench.task.scaffold import new_task
from rexbench.workspace.patch import apply_to_workspace

REXBENCH = Path(sys.executable).parent / "rexbench"


@pytest.fixture
def scored(tasks: Path, bench: Bench) -> Task:
    new_task(tasks / "signals", scored=True)
    return bench.task("signals")


@pytest.fixture
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("elsewhere")


def lines(task: Task) -> list[dict[str, str]]:
    with (task.folder / "authoring" / "attempts.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_an_attempt_is_begun_closed_and_put_on_record(scored: Task, bench: Bench, elsewhere: Path) -> None:
    brief = begin_attempt(bench, scored, elsewhere / "one", "hints", 10)
    told = brief.read_text()
    assert str(elsewhere / "one" / "workspace") in told and "10 minutes" in told and '"figure": [LOW, HIGH]' in told
    work = elsewhere / "one" / "workspace"
    apply_to_workspace(scored, scored.vault.gold, work, bench.home)
    (work / "CLAIM.json").write_text('{"success": 0.7, "figure": [0.01, 0.5]}')
    verdict = close_attempt(bench, elsewhere / "one", "splines,\nthen faults", minutes=7.5)
    assert verdict.outcome == "success" and verdict.score == pytest.approx(1.0, abs=0.05)
    (line,) = lines(scored)
    assert set(line) == set(COLUMNS)
    wanted = {"hints": "hints", "minutes": "7.5", "claimed": "0.7", "outcome": "success", "approach": "splines, then faults"}
    assert wanted.items() <= line.items() and float(line["score"]) == pytest.approx(verdict.score, abs=1e-3)


def test_every_attempt_adds_a_line_under_one_head(scored: Task, bench: Bench, elsewhere: Path) -> None:
    for name in ("one", "two"):
        begin_attempt(bench, scored, elsewhere / name)
        assert close_attempt(bench, elsewhere / name).outcome == "empty_patch"
    assert [(line["outcome"], line["score"], line["claimed"]) for line in lines(scored)] == [("empty_patch", "0.000", "")] * 2


def test_lines_of_a_file_with_other_columns_are_kept(scored: Task, bench: Bench, elsewhere: Path) -> None:
    path = scored.folder / "authoring" / "attempts.csv"
    path.write_text("hints,minutes,score,claimed,approach\nnone,45,0.4,0.9,by hand\n")
    begin_attempt(bench, scored, elsewhere / "one")
    close_attempt(bench, elsewhere / "one", "nothing")
    assert [(line["score"], line["outcome"], line["approach"]) for line in lines(scored)] == [
        ("0.4", "", "by hand"),
        ("0.000", "empty_patch", "nothing"),
    ]


def test_an_attempt_shows_what_an_agent_would_see_and_nothing_else(scored: Task, bench: Bench, elsewhere: Path) -> None:
    begin_attempt(bench, scored, elsewhere / "one")
    assert {path.name for path in (elsewhere / "one").iterdir()} == {"workspace", "BRIEF.md", "attempt.json"}
    assert set(json.loads((elsewhere / "one" / "attempt.json").read_text())) == {"task", "hints", "minutes", "begun_at"}
    seen = {path.relative_to(elsewhere / "one").as_posix() for path in (elsewhere / "one").rglob("*")}
    hidden = ("vault", "judge.py", "variant.py", "authoring", "hints.md", "detailed_hints.md")
    assert not [path for path in seen if any(part in path.split("/") for part in hidden)]
    assert CANARY in (elsewhere / "one" / "workspace" / "instructions.md").read_text()


def test_a_folder_that_leads_to_the_answer_is_refused(scored: Task, bench: Bench, home: Path, tasks: Path, elsewhere: Path) -> None:
    link = elsewhere / "link"
    link.symlink_to(tasks)
    for folder in (home / "x", tasks / "x", tasks / "signals" / "repo" / "x", link / "x"):
        with pytest.raises(RexbenchError, match="holds more than an attempt may see"):
            begin_attempt(bench, scored, folder)
        assert not folder.exists()


def test_a_folder_of_the_tasks_repository_is_refused(scored: Task, bench: Bench, tasks: Path) -> None:
    (tasks.parent / ".git").mkdir()
    with pytest.raises(RexbenchError, match="holds more than an attempt may see"):
        begin_attempt(bench, scored, tasks.parent / "beside")


def test_a_task_from_anywhere_can_be_attempted(bench: Bench, elsewhere: Path) -> None:
    """A task right below the root's folders once refused every folder there is."""
    task = bench.task(new_task(elsewhere / "own" / "signals", scored=True))
    begin_attempt(bench, task, elsewhere / "one")
    assert close_attempt(bench, elsewhere / "one").outcome == "empty_patch" and len(lines(task)) == 1
    with pytest.raises(RexbenchError, match="holds more than an attempt may see"):
        begin_attempt(bench, task, elsewhere / "own" / "two")


def test_what_is_there_already_or_is_no_attempt_is_told(scored: Task, bench: Bench, elsewhere: Path) -> None:
    (elsewhere / "file").write_text("x")
    begin_attempt(bench, scored, elsewhere / "one")
    for taken in ("file", "one"):
        with pytest.raises(RexbenchError, match="no empty folder"):
            begin_attempt(bench, scored, elsewhere / taken)
    with pytest.raises(RexbenchError, match="holds no attempt"):
        close_attempt(bench, elsewhere)
    (elsewhere / "one" / "attempt.json").write_text('{"task": 3}')
    with pytest.raises(RexbenchError, match="is damaged"):
        close_attempt(bench, elsewhere / "one")


def test_the_command_begins_and_closes(scored: Task, elsewhere: Path) -> None:
    def run(*arguments: object, status: int = 0) -> str:
        done = subprocess.run([REXBENCH, *map(str, arguments)], capture_output=True, text=True, check=False, env=os.environ)
        assert done.returncode == status and "Traceback" not in done.stderr, done.stderr
        return done.stdout + done.stderr

    assert "BRIEF.md" in run("attempt", "signals", elsewhere / "one", "--minutes", "10").replace("\n", "")
    told = json.loads(run("attempt", "--close", elsewhere / "one", "--approach", "none", "--json"))
    assert (told["outcome"], told["score"]) == ("empty_patch", 0.0) and lines(scored)[0]["minutes"] == "10"
    assert "give TASK DIR" in run("attempt", "signals", status=2)
    assert "holds more than" in run("attempt", "signals", scored.folder.parent / "x", status=2).replace("\n", " ")
