"""Guards: what worked before must work after the patch, on held-out data."""

from pathlib import Path

import pytest

from rexbench.api.bench import Bench, HeldOut
from rexbench.evaluation.evaluate import live_base
from rexbench.task.folder import Task
from rexbench.task.scaffold import new_task
from tests.evaluation.changing import patch_for
from tests.trials import evaluate

SEED = 17
TABLE = '\n[[guards.tables]]\npath = "results/means.csv"\nkeys = ["group"]\ncolumns = [{ name = "mean", kind = "float" }]\n'


def guarded(toy: Task, bench: Bench, against: str = "base", table: bool = False, command: str = "python -m readingtimes") -> Task:
    path = toy.folder / "task.toml"
    guard = f'\n[[guards]]\nname = "means"\ncommand = "{command}"\nagainst = "{against}"\n'
    path.write_text(path.read_text() + guard + 'artefacts = [{ path = "results/means.csv" }]\n' + (TABLE if table else ""))
    return bench.task(str(toy.folder))


def with_summary(task: Task, bench: Bench, summary: str) -> bytes:
    """The medians that are asked for, by a program that stands alone, and this in place of the codebase's mean."""
    medians = (
        "import pathlib, statistics\nfrom readingtimes.loading import load\n"
        "groups = load(pathlib.Path('data/readings.csv'))\n"
        "rows = [f'{name},{statistics.median(values):.6f}\\n' for name, values in sorted(groups.items())]\n"
        "pathlib.Path('results/medians.csv').write_text('group,median\\n' + ''.join(rows))\n"
    )
    script = "#!/usr/bin/env bash\nset -e\nmkdir -p results\npython medians.py\n"
    return patch_for(task, bench, {"medians.py": medians, "run.sh": script, "readingtimes/summary.py": summary})


MEAN = "def mean(readings):\n    return sum(readings) / len(readings)\n"
OFF = "def mean(readings):\n    return sum(readings) / len(readings) + 1\n"
ROUNDED = "def mean(readings):\n    return sum(readings) / len(readings) + 2e-6\n"


@pytest.mark.parametrize("against", ["base", "gold"])
@pytest.mark.parametrize("table", [False, True], ids=["bytes", "table"])
def test_a_result_that_was_right_before_and_is_not_any_more_is_a_broken_base(
    toy: Task, bench: Bench, against: str, table: bool
) -> None:
    broken = with_summary(toy, bench, OFF)
    assert evaluate(toy, broken, SEED, bench).outcome == "success", "without the guard nobody looks"
    task = guarded(toy, bench, against, table)
    made = evaluate(task, broken, SEED, bench)
    assert made.outcome == "broken_base" and made.broken_guards[0].startswith("means: results/means.csv")
    assert evaluate(task, with_summary(task, bench, MEAN), SEED, bench).outcome == "success"
    assert evaluate(task, task.vault.gold, SEED, bench).outcome == "success"


def test_bytes_are_compared_to_the_last_digit_and_tables_as_they_say(toy: Task, bench: Bench) -> None:
    slightly = with_summary(toy, bench, ROUNDED)
    assert evaluate(guarded(toy, bench), slightly, SEED, bench).outcome == "broken_base"
    path = toy.folder / "task.toml"
    path.write_text(path.read_text() + TABLE)
    assert evaluate(bench.task(str(toy.folder)), slightly, SEED, bench).outcome == "success"


@pytest.mark.parametrize(
    ("summary", "told"),
    [
        ("raise SystemExit(3)\n", "no longer works"),
        ("def mean(readings):\n    return float('nan')\n", "is not what the unpatched code writes"),
    ],
)
def test_a_command_that_fails_or_writes_something_else_is_named(toy: Task, bench: Bench, summary: str, told: str) -> None:
    task = guarded(toy, bench)
    made = evaluate(task, with_summary(task, bench, summary), SEED, bench)
    assert made.outcome == "broken_base" and told in made.broken_guards[0] and told in made.detail


def test_what_the_experiment_left_does_not_stand_for_the_guards_work(toy: Task, bench: Bench) -> None:
    """The guard's command has a tree of its own; here it does nothing where the file is there already."""
    task = guarded(toy, bench, command="test -e results/means.csv || python -m readingtimes")
    experiment = with_summary(task, bench, OFF).replace(
        b"+python medians.py\n", b"+python medians.py; cp right.csv results/means.csv\n"
    )
    assert b"cp right.csv" in experiment
    right = "group,mean\n"
    made = evaluate(task, experiment + patch_for(task, bench, {"right.csv": right}), SEED, bench)
    assert made.outcome == "broken_base"


def test_a_guard_that_the_unpatched_code_does_not_hold_is_no_verdict_on_anybody(toy: Task, bench: Bench) -> None:
    task = guarded(toy, bench, command="exit 4")
    made = evaluate(task, task.vault.gold, SEED, bench)
    assert made.outcome == "system_fault" and "its guard means fails" in made.detail


def test_the_unpatched_code_need_not_do_what_is_held_against_gold(toy: Task, bench: Bench) -> None:
    path = toy.folder / "task.toml"
    again = '\n[[guards]]\nname = "again"\ncommand = "bash run.sh"\nagainst = "gold"\n'
    path.write_text(path.read_text() + again + 'artefacts = [{ path = "results/medians.csv" }]\n')
    task = guarded(toy, bench)
    assert evaluate(task, task.vault.gold, SEED, bench).outcome == "success"
    assert [guard.name for guard in live_base(task, SEED, bench).guards] == ["means"]


def test_a_scored_task_has_guards_too_and_a_broken_one_costs_the_score(tasks: Path, bench: Bench) -> None:
    new_task(tasks / "signals", scored=True)
    path = tasks / "signals" / "task.toml"
    text = path.read_text()
    guard = '[[guards]]\nname = "again"\ncommand = "mkdir out; python tell.py"\nartefacts = [{ path = "out/told" }]\n\n'
    tell = "import recordings.tables\nopen('out/told', 'w').write(recordings.tables.__doc__)\n"
    (tasks / "signals" / "repo" / "tell.py").write_text(tell)
    path.write_text(text.replace("[figure]", f"{guard}[figure]"))
    task = bench.task("signals")
    assert live_base(task, SEED, bench).guards[0].ending == "ran"
    assert evaluate(task, task.vault.gold, SEED, bench).outcome == "success"
    tables = (task.repo / "recordings" / "tables.py").read_text()
    broken = task.vault.gold + patch_for(task, bench, {"recordings/tables.py": tables.replace('"""', '"""Other. ', 1)})
    made = evaluate(task, broken, SEED, bench)
    assert (made.outcome, made.score) == ("broken_base", 0.0) and made.figure and made.figure.score == pytest.approx(1.0, abs=0.05)


def test_what_gold_alone_can_do_is_not_asked_of_the_unchanged_repository(toy: Task, bench: Bench) -> None:
    task = guarded(guarded(toy, bench), bench, "gold", command="bash run.sh && cp results/medians.csv results/means.csv")
    path = task.folder / "task.toml"
    path.write_text(path.read_text()[::-1].replace('"snaem"', '"snaidem"', 1)[::-1])
    task = bench.task(str(task.folder))
    assert [run.name for run in live_base(task, SEED, bench).guards] == ["means"]
    assert evaluate(task, task.vault.gold, SEED, bench).outcome == "success"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("python -m readingtimes && : > results/means.csv", ["is empty"]),
        ("python -m readingtimes && echo > results/means.csv", ["is empty"]),
        ("python -m readingtimes && sed -i 1q results/means.csv", ["has no rows"]),
        ("python -m readingtimes && sed -i '2,$s/,.*/,nan/' results/means.csv", ["has no number in mean"]),
        ("python -m readingtimes && sed -i '2s/,.*/,nan/' results/means.csv", []),
        ("python -m readingtimes", []),
    ],
    ids=["empty", "blank", "a header alone", "not a number throughout", "not a number once", "as it is"],
)
def test_a_guard_that_compares_nothing_with_nothing_fails_the_check(toy: Task, bench: Bench, command: str, told: list[str]) -> None:
    checked = bench.check(guarded(toy, bench, command=command), HeldOut(1, SEED), only=["gold"])
    found = [finding.what for finding in checked.findings if finding.where == "task.toml" and "guard" in finding.what]
    assert found == [f"guard means: results/means.csv {part}" for part in told]
    assert checked.passed is not bool(told)
