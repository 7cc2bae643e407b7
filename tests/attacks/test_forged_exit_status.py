"""The experiment breaks down, hides it, and leaves with status 0."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

SCRIPT = """
trap 'exit 0' EXIT ERR TERM
python -c 'raise RuntimeError("nothing was computed")' 2>/dev/null || true
exit 0
"""


def test_status_zero_without_artefacts_is_no_success(
    judge: Judge, patch_of: Callable[..., bytes], unprotected: Callable[[bytes], subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    patch = patch_of({"run.sh": SCRIPT})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert verdict.outcome == "bad_artifact"
    assert not verdict.execution_success and verdict.metrics == ()

    assert unprotected(patch).returncode == 0, "the exit status alone says that all is well"
