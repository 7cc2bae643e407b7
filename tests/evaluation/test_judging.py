"""The judge runs bounded; a broken contract is the artefacts' fault, and every other end of a judge is ours."""

from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.errors import BrokenTask, SystemFault
from rexbench.evaluation import judging
from rexbench.evaluation.reading import BrokenContract
from rexbench.task.folder import Task
from tests.busy import busy_processor


def with_judge(toy: Task, body: str) -> Task:
    (toy.folder / "judge.py").write_text(f"import os, time\n\n\ndef metrics(artefacts, data):\n    {body}\n")
    return Bench().task("toy")


def test_metrics_and_landmarks_come_back(toy: Task, tmp_path: Path) -> None:
    task = with_judge(
        toy, "return {'groups': 3, 'mean_of_medians': 1.5}\n\n\ndef landmarks(artefacts, data):\n    return {'ran': True}"
    )
    judged = judging.judge(task, tmp_path, tmp_path)
    assert judged.metrics == {"groups": 3, "mean_of_medians": 1.5} and judged.landmarks == {"ran": True}


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("raise KeyError('x')", "KeyError: 'x'"),
        ("return 1 / 0", "ZeroDivisionError"),
        ("return [0] * 10**12", "MemoryError"),
        ("return {'groups': 3, 'mean_of_medians': object()}", "TypeError"),
        ("return (lambda: 1).nothing", "AttributeError"),
        ("raise SystemExit(0)", "without an answer"),
        ("os._exit(0)", "without an answer"),
        ("os.kill(os.getpid(), 9)", "signal 9"),
        ("os.kill(os.getpid(), 15)", "signal 15"),
    ],
)
def test_whatever_else_a_judge_dies_of_is_a_fault_of_ours(toy: Task, tmp_path: Path, body: str, told: str) -> None:
    with pytest.raises(SystemFault, match=told):
        judging.judge(with_judge(toy, body), tmp_path, tmp_path)


@pytest.mark.parametrize(
    ("bound", "body", "told"),
    [("JUDGE_SECONDS", "while True: pass", "CPU time"), ("JUDGE_MEMORY", "return bytearray(2**31)", "MemoryError")],
)
def test_a_judge_that_reaches_its_bounds_is_a_fault_of_ours(
    toy: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str, body: str, told: str
) -> None:
    monkeypatch.setattr(judging, bound, {"JUDGE_SECONDS": 1, "JUDGE_MEMORY": 2**31}[bound])
    with pytest.raises(SystemFault, match=told):
        judging.judge(with_judge(toy, body), tmp_path, tmp_path)


def test_a_judge_that_hangs_is_stopped(toy: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "wall_backstop", lambda seconds: 1.0)
    with pytest.raises(SystemFault, match="did not end"):
        judging.judge(with_judge(toy, "time.sleep(60)"), tmp_path, tmp_path)


@pytest.mark.usefixtures("short_backstop")
def test_a_judge_may_take_its_cpu_time_however_long_that_takes(toy: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "JUDGE_SECONDS", 60)
    compute = "end = time.process_time() + 0.5\n    while time.process_time() < end: pass\n    "
    with busy_processor():
        judged = judging.judge(with_judge(toy, compute + "return {'groups': 3, 'mean_of_medians': 1.5}"), tmp_path, tmp_path)
    assert judged.metrics["groups"] == 3


def test_only_a_broken_contract_is_the_artefacts_fault(toy: Task, tmp_path: Path) -> None:
    body = "from rexbench.evaluation.reading import require\n    require(False, 'medians.csv: no rows')"
    with pytest.raises(BrokenContract, match="no rows"):
        judging.judge(with_judge(toy, body), tmp_path, tmp_path)


def test_arithmetic_beyond_every_float_is_the_artefacts_fault(toy: Task, tmp_path: Path) -> None:
    with pytest.raises(BrokenContract, match="beyond"):
        judging.judge(with_judge(toy, "return {'groups': 3, 'mean_of_medians': 1e200 ** 2}"), tmp_path, tmp_path)


SCORED = """
def metrics(artefacts, data, truth):
    return {"groups": len(list(truth.iterdir())), "mean_of_medians": 0.5}


def strata(artefacts, data, truth):
    return {"easy": 0.75, "hard": 0.25}


def ceiling(data, truth):
    return CEILING
"""


def test_a_judge_that_asks_for_the_truth_is_given_it_with_strata_and_ceiling(toy: Task, tmp_path: Path) -> None:
    (tmp_path / "truth").mkdir()
    (tmp_path / "truth" / "world.json").write_text("{}")
    (toy.folder / "judge.py").write_text(SCORED.replace("CEILING", "1.0"))
    judged = judging.judge(Bench().task("toy"), tmp_path, tmp_path, tmp_path / "truth")
    assert judged.metrics["groups"] == 1
    assert judged.strata == {"easy": 0.75, "hard": 0.25} and judged.ceiling == 1.0


def test_a_ceiling_that_is_no_number_is_the_tasks_fault(toy: Task, tmp_path: Path) -> None:
    (toy.folder / "judge.py").write_text(SCORED.replace("CEILING", "float('inf')"))
    with pytest.raises(BrokenTask, match="ceiling"):
        judging.judge(Bench().task("toy"), tmp_path, tmp_path, tmp_path)


@pytest.mark.parametrize(
    "answer", ["{'groups': 3}", "{'groups': 'x', 'mean_of_medians': 'y'}", "{'groups': 1.5, 'mean_of_medians': 1.0}"]
)
def test_metrics_that_are_not_the_declared_ones_are_the_tasks_fault(toy: Task, tmp_path: Path, answer: str) -> None:
    with pytest.raises(BrokenTask):
        judging.judge(with_judge(toy, f"return {answer}"), tmp_path, tmp_path)


@pytest.mark.parametrize("value", ["float('nan')", "float('-inf')", "10**400"])
def test_a_metric_that_is_not_finite_is_never_a_number(toy: Task, tmp_path: Path, value: str) -> None:
    with pytest.raises(BrokenContract, match="not finite"):
        judging.judge(with_judge(toy, f"return {{'groups': 3, 'mean_of_medians': {value}}}"), tmp_path, tmp_path)
