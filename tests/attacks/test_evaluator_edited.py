"""The file that scores the experiment is edited, deleted or made executable, so that everything scores well."""

import dataclasses
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.places import Home
from rexbench.record.store import Store
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import SOLUTION, host_untouched
from tests.trials import evaluate

EVALUATOR = "readingtimes/loading.py"
KIND = "def mean(readings: list[float]) -> float:\n    return 1.0\n"


@pytest.mark.parametrize("how", ["edited", "deleted", "made executable"])
def test_a_patch_that_touches_the_evaluator_is_refused(
    toy: Task,
    bench: Bench,
    home: Path,
    patch_of: Callable[..., bytes],
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]],
    careless_tree: Path,
    tmp_path: Path,
    how: str,
) -> None:
    guarded = dataclasses.replace(toy, spec=toy.spec.model_copy(update={"protected": (*toy.spec.protected, EVALUATOR)}))
    same = (toy.repo / EVALUATOR).read_text()
    content = {"edited": KIND, "deleted": None, "made executable": same}[how]
    modes = {EVALUATOR: b"100755"} if how == "made executable" else {}
    patch = patch_of({"run.sh": "python s.py\n", "s.py": SOLUTION, EVALUATOR: content}, modes)

    with host_untouched(tmp_path):
        verdict = evaluate(guarded, patch, HELD_OUT, bench)

    assert (verdict.outcome, verdict.detail) == ("patch_rejected", f"{EVALUATOR} is protected ({EVALUATOR})")
    kept = Store(Home(home)).find_execution(verdict.execution)
    assert kept is not None and kept.seconds == 0, "nothing was run"

    unprotected(patch)
    if how == "edited":
        assert (careless_tree / EVALUATOR).read_text() == KIND
