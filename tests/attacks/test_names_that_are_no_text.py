"""A file whose name is not UTF-8, in the patch or among the artefacts, breaks whoever writes names down: the judgement is lost."""

import dataclasses
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from rexbench.workspace.capture import capture_patch
from rexbench.workspace.patch import apply_to_workspace
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


def test_such_a_name_in_a_workspace_costs_nobody_the_rest_of_the_work(toy: Task, judge: Judge, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    make_workspace(toy, workspace, "none")
    apply_to_workspace(toy, toy.vault.gold, workspace, CONFIGURED.home)
    (workspace / NAME).write_text("x\n")
    (workspace / os.fsdecode(b"folder\xff")).mkdir()
    (workspace / os.fsdecode(b"folder\xff") / "inner.py").write_text("x = 1\n")

    captured = capture_patch(toy, workspace, CONFIGURED.home)

    assert captured.skipped == ("caf?.txt: the name is not UTF-8", "folder?: the name is not UTF-8")
    assert judge(captured.patch).outcome == "success"
