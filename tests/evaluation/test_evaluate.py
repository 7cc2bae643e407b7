"""From a patch to an outcome, through the real sandbox."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rexbench.api.bench import Bench, HeldOut
from rexbench.errors import SystemFault
from rexbench.evaluation.evaluate import combine, live_gold
from rexbench.task.folder import Task
from tests.trials import evaluate, execute

SEED = 77


def test_gold_succeeds_and_is_really_run_a_second_time(toy: Task, bench: Bench, home: Path) -> None:
    evaluation = evaluate(toy, toy.vault.gold, SEED, bench)
    assert evaluation.outcome == "success"
    assert evaluation.execution != evaluation.reference
    assert len(list((home / "executions").glob("*/*"))) == 2


@pytest.mark.parametrize("kind", ["alternatives", "near_misses"])
def test_alternatives_succeed_and_near_misses_do_not(toy: Task, bench: Bench, kind: str) -> None:
    for patch in getattr(toy.vault, kind).values():
        outcome = evaluate(toy, patch, SEED, bench).outcome
        assert outcome == ("success" if kind == "alternatives" else "wrong_result")


def test_the_empty_patch_is_its_own_outcome(toy: Task, bench: Bench) -> None:
    assert evaluate(toy, b" \n", SEED, bench).outcome == "empty_patch"


@pytest.mark.parametrize(
    ("script", "outcome", "exception"),
    [
        ("exit 3\n", "execution_failed", "NonZeroExit"),
        ("python -c 'import readingtimes.nothing'\n", "execution_failed", "ModuleNotFoundError"),
        ("true\n", "bad_artifact", None),
        ("mkdir results; echo group,median > results/medians.csv\n", "bad_artifact", None),
        ("while :; do :; done\n", "timeout", None),
    ],
)
def test_each_way_to_fail_has_its_outcome(
    toy: Task, bench: Bench, patch_of: Callable[..., bytes], script: str, outcome: str, exception: str | None
) -> None:
    limits = toy.spec.limits.model_copy(update={"seconds": 2.0 if outcome == "timeout" else 30.0})
    task = replace(toy, spec=toy.spec.model_copy(update={"limits": limits}))
    evaluation = evaluate(task, patch_of({"run.sh": script}), SEED, bench)
    assert (evaluation.outcome, evaluation.exception) == (outcome, exception)


def test_no_result_can_depend_on_the_text_for_readers(toy: Task, bench: Bench, patch_of: Callable[..., bytes]) -> None:
    assert (toy.repo / "papers").is_dir()
    looked = execute(toy, patch_of({"run.sh": "test -e papers || exit 5\n"}), SEED, bench)
    assert looked.status == 5
    before = toy.digest
    next((toy.repo / "papers").iterdir()).write_text("Other words.")
    assert Bench().task(str(toy.folder)).digest == before


def test_gold_that_failed_for_a_while_is_run_again(toy: Task, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    run = type(bench.sandbox).run
    with monkeypatch.context() as loaded:
        loaded.setattr(type(bench.sandbox), "run", lambda sandbox, job: replace(run(sandbox, job), stopped_by="cpu"))
        with pytest.raises(SystemFault, match="gold itself does not run"):
            live_gold(toy, SEED, bench)
    assert live_gold(toy, SEED, bench).ending == "ran"


def test_a_deleted_entry_is_a_missing_entry(toy: Task, bench: Bench, patch_of: Callable[..., bytes]) -> None:
    assert evaluate(toy, patch_of({"run.sh": None}), SEED, bench).exception == "MissingEntry"


def test_execution_success_needs_status_zero_and_every_artefact(toy: Task, bench: Bench, patch_of: Callable[..., bytes]) -> None:
    assert not evaluate(toy, patch_of({"run.sh": "true\n"}), SEED, bench).execution_success
    malformed = patch_of({"run.sh": "mkdir results; echo nonsense > results/medians.csv\n"})
    evaluation = evaluate(toy, malformed, SEED, bench)
    assert evaluation.execution_success and evaluation.outcome == "bad_artifact"


def test_the_same_evaluation_is_answered_from_the_record(toy: Task, bench: Bench, home: Path) -> None:
    first = evaluate(toy, toy.vault.gold, SEED, bench)
    record = bench.store.execution_folder(first.execution) / "execution.json"
    written = record.stat().st_mtime_ns
    assert evaluate(toy, toy.vault.gold, SEED, bench).execution == first.execution
    assert record.stat().st_mtime_ns == written


def test_fresh_runs_again_and_sets_the_old_record_aside(toy: Task, bench: Bench, home: Path) -> None:
    first = evaluate(toy, toy.vault.gold, SEED, bench)
    record = bench.store.execution_folder(first.execution) / "execution.json"
    written = record.stat().st_mtime_ns
    evaluate(toy, toy.vault.gold, SEED, bench, fresh=True)
    assert record.stat().st_mtime_ns != written
    assert any((home / "superseded").iterdir())


@pytest.mark.parametrize("change", ["judge.py", "variant.py", "repo/readingtimes/loading.py"])
def test_any_part_of_the_task_that_determines_a_result_changes_the_key(toy: Task, bench: Bench, change: str) -> None:
    before = toy.digest
    path = toy.folder / change
    path.write_text(path.read_text() + "\n# changed\n")
    assert Bench().task("toy").digest != before


def test_instructions_and_hints_do_not_change_the_key(toy: Task) -> None:
    before = toy.digest
    (toy.folder / "hints.md").write_text("other")
    assert Bench().task("toy").digest == before


def test_gold_that_does_not_run_is_a_fault_of_ours_and_is_not_held_against_the_patch(toy: Task, bench: Bench) -> None:
    good = toy.vault.gold
    (toy.folder / "vault" / "gold.patch").write_bytes(good.replace(b"sorted(readings)", b"sorted(nothing)"))
    evaluation = evaluate(Bench().task("toy"), good, SEED, bench)
    assert evaluation.outcome == "system_fault" and "gold itself does not run" in evaluation.detail


def test_a_fault_on_one_variant_leaves_the_verdict_open(toy: Task, bench: Bench) -> None:
    good = evaluate(toy, toy.vault.gold, SEED, bench)
    fault = good.model_copy(update={"outcome": "system_fault"})
    wrong = good.model_copy(update={"outcome": "wrong_result"})
    assert combine("toy", [good, good]).outcome == "success"
    assert combine("toy", [good, wrong]).outcome == "wrong_result"
    assert combine("toy", [wrong, fault]).outcome == "system_fault"


def test_a_verdict_over_variants_needs_them_all(toy: Task, bench: Bench) -> None:
    verdict = bench.evaluate(toy, toy.vault.gold, HeldOut(variants=2, seed=SEED))
    assert verdict.outcome == "success" and {one.variant_seed for one in verdict.evaluations} == {SEED, SEED + 1}


def test_recall_and_precision_count_files_against_golds(toy: Task, bench: Bench, patch_of: Callable[..., bytes]) -> None:
    evaluation = evaluate(toy, patch_of({"readingtimes/summary.py": "x = 1\n", "new.py": "x = 1\n"}), SEED, bench)
    assert (evaluation.file_recall, evaluation.file_precision) == (0.5, 0.5)


def test_the_record_holds_patch_logs_artefacts_and_how_limits_were_held(toy: Task, bench: Bench) -> None:
    evaluation = evaluate(toy, toy.vault.gold, SEED, bench)
    folder = bench.store.execution_folder(evaluation.execution)
    assert (folder / "patch.diff").read_bytes() == toy.vault.gold
    assert (folder / "artefacts" / "results" / "medians.csv").is_file() and (folder / "stdout.log").is_file()
    execution = bench.store.find_execution(evaluation.execution)
    assert execution is not None and {"cpu", "wall", "memory", "processes", "disk", "output", "network"} <= set(execution.enforced)


def test_a_plain_process_gives_the_same_metrics_as_bubblewrap(toy: Task, bench: Bench, home: Path) -> None:
    plain = live_gold(toy, SEED, Bench(home=home, sandbox="process", unsafe=True))
    assert plain.metrics == live_gold(toy, SEED, bench).metrics
