"""Two benches in one process: neither sees what the other keeps."""

from pathlib import Path

import pytest

from rexbench.api.bench import Bench, HeldOut
from rexbench.errors import UnknownTask
from rexbench.task.scaffold import new_task

SEED = HeldOut(seed=5)


@pytest.fixture
def benches(tmp_path: Path, environments: Path) -> tuple[Bench, Bench]:
    made = []
    for name in ("one", "two"):
        home, tasks = tmp_path / name / "home", tmp_path / name / "tasks"
        home.mkdir(parents=True)
        (home / "environments").symlink_to(environments)
        tasks.mkdir()
        new_task(tasks / "toy")
        new_task(tasks / f"only-{name}")
        made.append(Bench(home=home, tasks=tasks))
    return made[0], made[1]


def kept(bench: Bench) -> set[str]:
    return {path.name for path in bench.home.folder.glob("executions/*/*")}


def test_records_locks_and_secrets_are_each_benchs_own(benches: tuple[Bench, Bench]) -> None:
    one, two = benches
    judge = two.suite.folder / "toy" / "judge.py"
    judge.write_text(judge.read_text() + "\n# another one\n")
    gold = one.task("toy").vault.gold
    first = one.evaluate("toy", gold, SEED)
    assert first.outcome == "success" and kept(one) and not kept(two)
    assert two.evaluate("toy", "", SEED).outcome == "empty_patch"
    second = two.evaluate("toy", gold, SEED)
    assert one.evaluate("toy", gold, SEED).first.execution == first.first.execution != second.first.execution
    assert second.outcome == "success" and not kept(one) & kept(two)
    assert one.store.find_execution(second.first.execution) is None

    assert one.home.secret() != two.home.secret()
    assert one.seeds(one.task("toy")) != two.seeds(two.task("toy"))
    with one.home.lock("same"), two.home.lock("same").acquire(timeout=0):
        pass
    with one.home.scratch("work") as mine, two.home.scratch("work") as theirs:
        assert mine.is_relative_to(one.home.folder) and theirs.is_relative_to(two.home.folder)


def test_each_bench_has_its_own_tasks_also_of_the_same_name(benches: tuple[Bench, Bench]) -> None:
    one, two = benches
    assert {task.id for task in one.tasks()} == {"toy", "only-one"}
    with pytest.raises(UnknownTask):
        two.task("only-one")
    assert one.task("toy").folder != two.task("toy").folder


def test_a_task_that_is_edited_is_read_again(benches: tuple[Bench, Bench]) -> None:
    one, two = benches
    before = one.task("toy").digest, two.task("toy").digest
    judge = one.suite.folder / "toy" / "judge.py"
    judge.write_text(judge.read_text() + "\n# changed\n")
    assert one.task("toy").digest != before[0] and two.task("toy").digest == before[1]


def test_settings_of_the_environment_are_taken_once_when_a_bench_is_made(
    benches: tuple[Bench, Bench], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    one, _ = benches
    monkeypatch.setenv("REXBENCH_HOME", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("REXBENCH_TASKS", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert one.evaluate("toy", one.task("toy").vault.gold, SEED).outcome == "success"
    assert not (tmp_path / "elsewhere").exists()
