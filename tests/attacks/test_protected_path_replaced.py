"""A protected folder is not edited but replaced: by a link, by a file, by a folder where a file was, or with its parent."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import SOLUTION, host_untouched
from tests.trials import evaluate

PAPER, GUARDED = "papers/author2024.md", "readingtimes/loading.py"
REPLACED: dict[str, tuple[dict[str, str | None], dict[str, bytes]]] = {
    "folder by a link": ({PAPER: None, "papers": "readingtimes"}, {"papers": b"120000"}),
    "folder by a file": ({PAPER: None, "papers": "text\n"}, {}),
    "file by a link": ({PAPER: "../run.sh"}, {PAPER: b"120000"}),
    "file by a folder": ({PAPER: None, f"{PAPER}/inner": "text\n"}, {}),
    "file added beside": ({"papers/other.md": "text\n"}, {}),
    "parent by a link": (
        dict.fromkeys(("readingtimes/__init__.py", "readingtimes/__main__.py", "readingtimes/summary.py", GUARDED))
        | {"other/loading.py": "def load(path): return {}\n", "readingtimes": "other"},
        {"readingtimes": b"120000"},
    ),
    "data by a link": ({"data": "own"}, {"data": b"120000"}),
    "data by a file": ({"data": "text\n"}, {}),
    "data by a folder's file": ({"data/readings.csv": "group,milliseconds\na,1\n"}, {}),
    "data by another name": ({"data/extra.csv": "text\n"}, {}),
}


@pytest.mark.parametrize("how", sorted(REPLACED))
def test_replacing_a_protected_path_is_refused(
    toy: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path, how: str
) -> None:
    guarded = dataclasses.replace(toy, spec=toy.spec.model_copy(update={"protected": (*toy.spec.protected, GUARDED)}))
    files, modes = REPLACED[how]
    patch = patch_of({"run.sh": "python s.py\n", "s.py": SOLUTION, **files}, modes)

    with host_untouched(tmp_path):
        verdict = evaluate(guarded, patch, HELD_OUT, bench)

    assert verdict.outcome == "patch_rejected"
    assert "protected" in verdict.detail or "does not apply" in verdict.detail


def test_the_rest_of_such_a_patch_is_a_right_solution(toy: Task, bench: Bench, patch_of: Callable[..., bytes]) -> None:
    assert evaluate(toy, patch_of({"run.sh": "python s.py\n", "s.py": SOLUTION}), HELD_OUT, bench).outcome == "success"
