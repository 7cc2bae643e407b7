"""A `conftest.py` in the tree turns every failing test into a pass for whoever runs pytest there."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

CONFTEST = """
import pathlib, pytest
pathlib.Path("imported").write_text("conftest")
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
"""
FAILING = "def test_medians_exist():\n    assert False\n"


def test_a_conftest_in_the_tree_changes_no_verdict(
    judge: Judge,
    patch_of: Callable[..., bytes],
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]],
    careless_tree: Path,
    tmp_path: Path,
) -> None:
    patch = patch_of({"run.sh": "true\n", "conftest.py": CONFTEST, "test_medians.py": FAILING, "pytest.ini": "[pytest]\n"})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert verdict.outcome == "bad_artifact"

    unprotected(patch)
    careless = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_medians.py"]
    assert subprocess.run(careless, cwd=careless_tree, capture_output=True, check=False).returncode == 0, "the failing test passes"
    assert (careless_tree / "imported").exists()
