"""Folders inside folders, a thousand deep, made by the patch or by the run: whoever removes them afterwards must not fall over."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

DIG = "import os\nfor _ in range(1100):\n    os.mkdir('d')\n    os.chdir('d')\n"
DIG_LOCKED = """
import os
for n in range(5):
    os.makedirs(f"a{n}/b/c/d")
    for path in (f"a{n}/b/c", f"a{n}/b", f"a{n}"):
        os.chmod(path, 0)
"""


@pytest.fixture(autouse=True)
def _swept(home: Path) -> Iterator[None]:
    """Deep folders that a failing test leaves are beyond pytest's own clean-up."""
    yield
    left = list((home / "scratch").glob("*"))
    subprocess.run(["rm", "-rf", *map(str, left)], check=True)
    assert left == [], "work in flight was left behind"


@pytest.mark.parametrize("depth", [400, 1100])
def test_deep_folders_of_the_patch_are_judged_and_removed(
    judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path, depth: int
) -> None:
    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": "true\n", "d/" * depth + "end": "x\n"}))

    assert verdict.outcome in ("bad_artifact", "patch_rejected")


@pytest.mark.parametrize("where", [".", "results/medians.csv"])
def test_deep_folders_of_the_run_are_removed(judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path, where: str) -> None:
    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": f"mkdir -p {where} && cd {where} && python /workspace/dig.py\n", "dig.py": DIG}))

    assert verdict.outcome == "bad_artifact"


def test_folders_that_nobody_may_enter_are_removed(judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path) -> None:
    """Root may enter them all the same; the test tells something where it is run by a plain user."""
    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": "python dig.py\n", "dig.py": DIG_LOCKED}))

    assert verdict.outcome == "bad_artifact"
