"""A line of predictions names a folder as its task, and the folder's own code is run on the host to judge it."""

import json
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.errors import RexbenchError
from rexbench.interop.predictions import read_predictions
from rexbench.task.folder import Task
from rexbench.task.scaffold import new_task
from rexbench.task.variants import make_variant
from tests.attacks.scene import canary, host_untouched
from tests.cli.test_cli import run


def test_a_prediction_brings_no_task_of_its_own(toy: Task, home: Path, tmp_path: Path) -> None:
    file = canary(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    new_task(tmp_path / "elsewhere" / "toy")
    evil = tmp_path / "elsewhere" / "toy"
    (evil / "variant.py").write_text(f"open({str(file)!r}, 'w').write('touched')\n")
    path = tmp_path / "predictions.jsonl"
    for name in (str(evil), "./elsewhere/toy", "../toy", "toy/", ".", "toy\n"):
        path.write_text(json.dumps({"task": name, "patch": "x"}) + "\n")
        with pytest.raises(RexbenchError, match="is not the name of a task"):
            read_predictions(path)

    path.write_text(json.dumps({"task": str(evil), "patch": "x"}) + "\n")
    with host_untouched(tmp_path):
        assert "is not the name of a task" in run("evaluate", str(path), status=2)

    with pytest.raises(RexbenchError):
        make_variant(Bench().task(str(evil)), 7, Bench().home)
    assert file.read_text() == "touched", "a task's code runs on the host"
