"""The judge runs bounded, and its failure on artefacts is the artefacts' fault."""

from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.errors import BrokenTask
from rexbench.evaluation import judging
from rexbench.evaluation.reading import BrokenContract
from rexbench.task.folder import Task


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
    "body", ["raise KeyError('x')", "return [0] * 10**12", "return 1 / 0", "os._exit(0)", "os.kill(os.getpid(), 9)"]
)
def test_whatever_the_judge_dies_of_breaks_the_contract(toy: Task, tmp_path: Path, body: str) -> None:
    with pytest.raises(BrokenContract):
        judging.judge(with_judge(toy, body), tmp_path, tmp_path)


def test_a_judge_that_hangs_is_stopped(toy: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "JUDGE_SECONDS", 1)
    with pytest.raises(BrokenContract, match="could not finish"):
        judging.judge(with_judge(toy, "time.sleep(60)"), tmp_path, tmp_path)


@pytest.mark.parametrize(
    "answer", ["{'groups': 3}", "{'groups': 'x', 'mean_of_medians': 'y'}", "{'groups': 1.5, 'mean_of_medians': 1.0}"]
)
def test_metrics_that_are_not_the_declared_ones_are_the_tasks_fault(toy: Task, tmp_path: Path, answer: str) -> None:
    with pytest.raises(BrokenTask):
        judging.judge(with_judge(toy, f"return {answer}"), tmp_path, tmp_path)


def test_a_metric_that_is_not_finite_is_never_a_number(toy: Task, tmp_path: Path) -> None:
    with pytest.raises(BrokenContract):
        judging.judge(with_judge(toy, "return {'groups': 3, 'mean_of_medians': float('nan')}"), tmp_path, tmp_path)
