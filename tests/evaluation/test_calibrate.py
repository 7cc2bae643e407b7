"""Calibration: the spread within a variant, pooled, and a limit that follows from gold's time."""

import math
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.errors import BrokenTask, RexbenchError
from rexbench.evaluation.calibrate import calibration_of, plan_seeds, write_calibration
from rexbench.record.model import Execution, Inputs
from rexbench.task.folder import Task
from tests.trials import execute


@pytest.fixture
def noisy(toy: Task) -> Task:
    path = toy.folder / "task.toml"
    text = (
        path.read_text()
        .replace('kind = "float"', 'kind = "noisy"')
        .replace('entry = "run.sh"', 'entry = "run.sh"\nseed_variable = "SEED"')
    )
    path.write_text(text)
    return Bench().task("toy")


def run(variant: int, value: float, seconds: float = 2.0, ending: str = "ran") -> Execution:
    inputs = Inputs(
        task="toy",
        task_digest="",
        patch_digest="",
        variant_seed=variant,
        training_seed=1,
        environment="base",
        environment_digest="",
        sandbox="bubblewrap",
        machine="",
        role="submission",
    )
    return Execution.model_construct(
        inputs=inputs,
        ending=ending,
        detail="no",
        metrics={"groups": 5, "mean_of_medians": value},
        seconds=3 * seconds,
        cpu_seconds=seconds,
        peak_memory_mb=100,
    )


def test_the_spread_is_taken_within_variants_and_not_between_them(noisy: Task) -> None:
    runs = [run(1, 10.0), run(1, 12.0), run(1, 11.0), run(2, 500.0), run(2, 502.0), run(2, 501.0)]
    calibration = calibration_of(noisy.spec, runs)
    assert calibration.sd == {"mean_of_medians": pytest.approx(1.0)}
    assert (calibration.variants, calibration.seeds, calibration.degrees_of_freedom) == (2, 3, 4)


def test_no_metric_of_a_spread_gets_a_smaller_deviation_than_all_together(noisy: Task) -> None:
    path = noisy.folder / "task.toml"
    second = '\n[[metrics]]\nname = "other"\nkind = "noisy"\nabout = "another"\nspread = "s"\n'
    path.write_text(path.read_text().replace('kind = "noisy"', 'kind = "noisy"\nspread = "s"') + second)
    spec = Bench().task("toy").spec
    runs = [run(1, value) for value in (10.0, 12.0, 11.0)]
    runs = [one.model_copy(update={"metrics": one.metrics | {"other": 7.0}}) for one in runs]
    assert calibration_of(spec, runs).sd == {"mean_of_medians": pytest.approx(1.0), "other": pytest.approx(0.7071)}


def test_the_slowest_run_decides_the_limit_and_the_file_stays_valid(noisy: Task) -> None:
    write_calibration(noisy, calibration_of(noisy.spec, [run(1, 1.0, 3.0), run(1, 2.0, 13.3), run(1, 3.0)]))
    spec = Bench().task("toy").spec
    assert spec.limits.seconds == math.ceil(5 * 13.3)
    assert spec.calibration is not None and spec.calibration.gold_seconds == 13.3


def test_gold_that_fails_once_stops_the_calibration(noisy: Task) -> None:
    with pytest.raises(BrokenTask, match="gold fails on variant 2"):
        calibration_of(noisy.spec, [run(1, 1.0), run(2, 1.0, ending="timeout")])


def test_a_noisy_metric_needs_a_seed_variable_and_several_seeds(noisy: Task, toy: Task) -> None:
    with pytest.raises(RexbenchError, match="At least 3 seeds"):
        plan_seeds(noisy.spec, 2, 2)
    path = noisy.folder / "task.toml"
    path.write_text(path.read_text().replace('seed_variable = "SEED"', ""))
    with pytest.raises(BrokenTask, match="seed_variable"):
        plan_seeds(Bench().task("toy").spec, 2, 5)


def test_the_training_seed_reaches_the_experiment_by_its_variable(noisy: Task, home: Path) -> None:
    (noisy.repo / "run.sh").write_text('echo "seed ${SEED:-none}"\n' + (noisy.repo / "run.sh").read_text())
    task = Bench().task("toy")
    bench = Bench()
    for seed, told in ((None, "seed none"), (7, "seed 7")):
        execution = execute(task, task.vault.gold, 3, bench, training_seed=seed)
        assert told in (bench.store.execution_folder(execution.key) / "stdout.log").read_text()
