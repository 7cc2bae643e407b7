"""A file whose name is not UTF-8, in the patch or among the artefacts, breaks whoever writes names down: the judgement is lost."""

import dataclasses
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from rexbench.workspace.capture import capture_patch
from rexbench.workspace.tree import make_workspace
from tests.attacks.conftest import HELD_OUT, Judge
from tests.attacks.scene import host_untouched
from tests.conftest import CONFIGURED
from tests.trials import evaluate

NAME = os.fsdecode(b"caf\xe9.txt")


@pytest.mark.parametrize(
    ("name", "outcomes"),
    [
        pytest.param(NAME, ("bad_artifact", "patch_rejected"), id="anywhere"),
        pytest.param(f"papers/{NAME}", ("patch_rejected",), id="in-a-protected-folder"),
    ],
)
def test_a_patch_with_such_a_name_is_judged(
    judge: Judge, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path, name: str, outcomes: tuple[str, ...]
) -> None:
    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": "true\n", name: "x\n"}))

    assert verdict.outcome in outcomes
    assert bench.store.find_evaluation(verdict.key) == verdict, "what was decided is on record"


def test_an_artefact_with_such_a_name_is_judged(toy: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path) -> None:
    pattern = toy.spec.artefacts[0].model_copy(update={"path": "results/*"})
    task = dataclasses.replace(toy, spec=toy.spec.model_copy(update={"artefacts": (pattern,)}))

    with host_untouched(tmp_path):
        verdict = evaluate(task, patch_of({"run.sh": "mkdir results && touch results/$'caf\\xe9'\n"}), HELD_OUT, bench)

    assert verdict.outcome == "bad_artifact"
    assert bench.store.find_evaluation(verdict.key) == verdict


def test_a_workspace_with_such_a_name_is_captured_and_judged(toy: Task, judge: Judge, tmp_path: Path) -> None:
    make_workspace(toy, tmp_path / "workspace", "none")
    (tmp_path / "workspace" / NAME).write_text("x\n")
    assert judge(capture_patch(toy, tmp_path / "workspace", CONFIGURED.home).patch).outcome in ("bad_artifact", "patch_rejected")
