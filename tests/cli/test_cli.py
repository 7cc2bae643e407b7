"""The command line as a user meets it: the installed program, its answers and its exit status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rexbench.task.folder import Task
from rexbench.task.scaffold import new_task

REXBENCH = Path(sys.executable).parent / "rexbench"


def run(*arguments: str, status: int = 0) -> str:
    done = subprocess.run([REXBENCH, *arguments], capture_output=True, text=True, check=False, env=os.environ | {"COLUMNS": "80"})
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if status in (0, 1) else done.stderr


def test_the_version_is_told() -> None:
    assert run("--version").startswith("rexbench 0.")


@pytest.mark.parametrize(
    "command", [["--help"], ["task", "--help"], ["evaluate", "--help"], ["demo", "--help"], ["task", "check", "--help"]]
)
def test_every_help_shows_a_worked_example_or_the_commands(command: list[str]) -> None:
    assert "rexbench" in run(*command)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["task", "show", "toyy"], "did you mean toy?"),
        (["evaluate", "x.patch", "--task", "toyy"], "did you mean toy?"),
        (["evaluate", "no-such-file", "--task", "toy"], "neither a folder nor a patch file"),
        (["evaluate", ".", "--task", "toy", "--sandbox", "process"], "--unsafe"),
        (["evaluate", ".", "--task", "toy", "--sandbox", "vm"], "There is no sandbox 'vm'"),
        (["task", "show", "toy", "--hints", "all"], "There is no hint level 'all'"),
        (["task", "check"], "Name the tasks to check, or give --all"),
        (["task", "new", "Bad Name"], "lower-case words"),
        (["evaluate"], "Missing argument"),
        (["nonsense"], "No such command"),
    ],
)
def test_bad_input_is_answered_in_one_sentence_with_status_two(toy: Task, arguments: list[str], told: str) -> None:
    message = run(*arguments, status=2)
    assert told in message and len(message.strip().splitlines()) == 1


def test_a_broken_task_toml_is_told_with_key_and_line(toy: Task) -> None:
    path = toy.folder / "task.toml"
    path.write_text(path.read_text().replace("held_out = 1", "held_outs = 1"))
    assert "line 6: unknown key held_outs; did you mean held_out?" in run("task", "show", "toy", status=2)


def test_the_suite_is_listed(toy: Task) -> None:
    assert "toy" in run("task", "list")
    assert json.loads(run("task", "list", "--json"))[0]["id"] == "toy"


def test_a_list_tells_the_same_of_a_sealed_vault_again_and_says_where_one_is_missing(toy: Task) -> None:
    opened = run("task", "list", "--json")
    run("task", "seal", "toy")
    assert run("task", "list", "--json") == run("task", "list", "--json") == opened
    (toy.folder / "vault.bin").unlink()
    assert "there is neither vault.bin nor an open vault/" in run("task", "list", status=2)


def test_a_task_is_shown_with_its_instructions_at_a_hint_level(toy: Task) -> None:
    assert "## Steps" in run("task", "show", "toy", "--hints", "detailed")
    assert "## Steps" not in run("task", "show", "toy")


def test_a_scored_task_is_shown_with_its_figure_and_its_laboratory(home: Path, tasks: Path) -> None:
    new_task(tasks / "world", laboratory=True)
    told = run("task", "show", "world")
    assert " is better): " in told and "asks      a laboratory, with a budget of " in told


def test_a_person_can_work_by_hand_from_workspace_to_verdict(toy: Task, tmp_path: Path) -> None:
    work = tmp_path / "work"
    assert "rexbench evaluate" in run("task", "workspace", "toy", str(work))
    (work / "robust.py").write_text(
        "import pathlib, statistics\n"
        "from readingtimes.loading import load\n"
        "groups = load(pathlib.Path('data/readings.csv'))\n"
        "rows = [f'{name},{statistics.median(values):.6f}\\n' for name, values in groups.items()]\n"
        "pathlib.Path('results/medians.csv').write_text('group,median\\n' + ''.join(rows))\n"
    )
    with (work / "run.sh").open("a") as script:
        script.write("python robust.py\n")
    told = run("evaluate", str(work), "--task", "toy", "--variant-seed", "5")
    assert "toy: success" in told and "mean_of_medians" in told and "logs:" in told
    assert max(len(line) for line in told.splitlines() if "logs:" not in line) <= 80

    patch = tmp_path / "my.patch"
    patch.write_text(run("task", "diff", "toy", str(work)))
    answer = json.loads(run("evaluate", str(patch), "--task", "toy", "--variant-seed", "5", "--json"))
    assert answer["outcome"] == "success" and Path(answer["evaluations"][0]["logs"], "execution.json").is_file()


def test_an_author_starts_a_workspace_from_a_patch_of_the_vault(toy: Task, tmp_path: Path) -> None:
    run("task", "workspace", "toy", str(tmp_path / "work"), "--patch", "gold")
    assert "def median" in (tmp_path / "work" / "readingtimes" / "summary.py").read_text()
    taken = run("task", "diff", "toy", str(tmp_path / "work"))
    changed, gold = ([line for line in text.splitlines() if line[:1] in "+-"] for text in (taken, toy.vault.gold.decode()))
    assert changed == gold


def test_a_new_task_may_lie_outside_the_suite(toy: Task, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere" / "my-task"
    assert f"rexbench task lint {folder}" in run("task", "new", str(folder))
    assert "my-task: no errors" in run("task", "lint", str(folder))
    assert not (toy.folder.parent / "my-task").exists()


def test_public_data_follow_the_generator(toy: Task) -> None:
    generator = toy.folder / "variant.py"
    generator.write_text(generator.read_text().replace("range(40)", "range(60)"))
    assert "run `rexbench task data toy`" in run("task", "lint", "toy", status=1)
    run("task", "data", "toy")
    assert "toy: no errors" in run("task", "lint", "toy")


def test_a_check_shows_what_lint_found_though_gold_cannot_run(toy: Task) -> None:
    (toy.folder / "hints.md").unlink()
    (toy.folder / "repo" / "readingtimes" / "summary.py").unlink()
    done = subprocess.run([REXBENCH, "task", "check", "toy"], capture_output=True, text=True, check=False)
    assert done.returncode == 3 and "gold itself does not run" in done.stderr
    assert "hints.md: is missing" in done.stdout


def test_a_fresh_check_runs_gold_on_the_public_variant_again(toy: Task, home: Path) -> None:
    def public_runs() -> int:
        told = [json.loads(path.read_text()) for path in home.rglob("execution.json")]
        return sum(run["inputs"]["variant_seed"] == 0 for run in told)

    run("task", "check", "toy", "--variants", "1", "--only", "gold")
    before = public_runs()
    run("task", "check", "toy", "--variants", "1", "--only", "gold", "--fresh")
    assert (before, public_runs()) == (1, 2)


def test_a_patch_that_does_not_apply_names_the_hunk(toy: Task, tmp_path: Path) -> None:
    patch = tmp_path / "bad.patch"
    patch.write_bytes(toy.vault.gold.replace(b"import mean", b"import meen"))
    answer = json.loads(run("evaluate", str(patch), "--task", "toy", "--json"))
    assert answer["outcome"] == "patch_rejected"
    assert "patch failed: readingtimes/__main__.py:" in answer["evaluations"][0]["detail"]


def test_the_vault_is_sealed_and_opened(toy: Task) -> None:
    run("task", "seal", "toy")
    assert not (toy.folder / "vault").exists() and (toy.folder / "vault.bin").is_file()
    run("task", "check", "toy", "--variants", "1", "--only", "gold")
    run("task", "unseal", "toy")
    assert (toy.folder / "vault" / "gold.patch").read_bytes() == toy.vault.gold


def test_the_demo_passes_on_a_sound_task_and_fails_on_an_unsound_one(toy: Task) -> None:
    assert "success" in run("demo", "--variant-seed", "9")
    judge = toy.folder / "judge.py"
    judge.write_text(
        judge.read_text().replace(
            "    rows = read_table",
            "    import random\n    return {'groups': random.getrandbits(60), 'mean_of_medians': 0.0}\n    rows = read_table",
        )
    )
    run("demo", "--variant-seed", "9", status=1)


def test_a_check_fails_where_a_near_miss_gets_through(toy: Task) -> None:
    good = run("task", "check", "toy", "--variants", "2")
    assert "toy: passed" in good
    (toy.folder / "vault" / "near_misses" / "harmless.patch").write_bytes(toy.vault.gold)
    bad = run("task", "check", "toy", "--variants", "2", "--json", status=1)
    rows = {row["name"]: row["passed"] for row in json.loads(bad)[0]["rows"]}
    assert rows["harmless"] is False and rows["mean"] is True


def test_calibration_writes_time_and_limit_and_keeps_the_rest(toy: Task) -> None:
    before = (toy.folder / "task.toml").read_text()
    run("task", "calibrate", "toy", "--variants", "2")
    run("task", "calibrate", "toy", "--variants", "2")
    after = (toy.folder / "task.toml").read_text()
    assert after.startswith(before.rstrip()) and after.count("[calibration]") == 1


def test_the_doctor_looks_at_every_sandbox(home: Path) -> None:
    facts = {fact["what"]: fact["state"] for fact in json.loads(run("doctor", "--json"))}
    assert facts["sandbox bubblewrap"] == "ok" and {"sandbox docker", "sandbox podman", "sandbox process"} <= set(facts)


def test_a_new_task_never_replaces_what_is_there(toy: Task) -> None:
    before = (toy.folder / "task.toml").read_bytes()
    assert "exists already" in run("task", "new", str(toy.folder), status=2)
    assert (toy.folder / "task.toml").read_bytes() == before
