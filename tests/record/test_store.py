"""Records: whole or not there, never lost, never silently replaced."""

from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.places import Home
from rexbench.task.folder import Task
from tests.trials import evaluate


def test_a_damaged_record_is_set_aside_and_made_again(toy: Task, bench: Bench, home: Path) -> None:
    first = evaluate(toy, toy.vault.gold, 3, bench)
    record = bench.store.execution_folder(first.execution) / "execution.json"
    record.write_text(record.read_text()[:100])
    again = evaluate(toy, toy.vault.gold, 3, bench)
    assert again.outcome == "success" and again.execution == first.execution
    assert len(record.read_text()) > 100
    assert len(list((home / "superseded").iterdir())) == 1


def test_an_execution_without_its_record_file_does_not_count(toy: Task, bench: Bench) -> None:
    first = evaluate(toy, toy.vault.gold, 3, bench)
    (bench.store.execution_folder(first.execution) / "execution.json").unlink()
    assert bench.store.find_execution(first.execution) is None
    assert evaluate(toy, toy.vault.gold, 3, bench).outcome == "success"


def test_what_a_dead_program_left_in_scratch_is_swept_and_a_living_ones_is_kept(home: Path) -> None:
    (home / "scratch" / "execution-999999999_1-abcd").mkdir(parents=True)
    with Home(home).scratch("test") as mine:
        Home(home).sweep()
        assert mine.is_dir() and not (home / "scratch" / "execution-999999999_1-abcd").exists()


def test_scratch_is_removed_even_when_its_folders_were_locked(home: Path) -> None:
    with Home(home).scratch("test") as folder:
        (folder / "deep" / "deeper").mkdir(parents=True)
        (folder / "deep" / "deeper" / "file").write_text("x")
        (folder / "deep" / "deeper").chmod(0o000)
        (folder / "deep").chmod(0o000)
    assert not folder.exists()
