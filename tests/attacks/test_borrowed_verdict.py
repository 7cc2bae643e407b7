"""A broken patch that differs from a good one in blank space alone is judged first, and the good one is given its verdict."""

from collections.abc import Callable
from pathlib import Path

from rexbench.task.folder import Task
from tests.attacks.conftest import Judge
from tests.attacks.scene import SOLUTION, host_untouched

LOADING = "readingtimes/loading.py"


def test_patches_that_git_tells_apart_have_verdicts_of_their_own(
    toy: Task, judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    first, second, blank, *_ = (toy.repo / "readingtimes" / "loading.py").read_text().splitlines()
    assert blank == ""
    edit = f"@@ -1,3 +1,4 @@\n {first}\n+# A note.\n {second}\n \n"
    good = patch_of({"run.sh": "python s.py\n", "s.py": SOLUTION})
    good += f"diff --git a/{LOADING} b/{LOADING}\n--- a/{LOADING}\n+++ b/{LOADING}\n{edit}".encode()
    broken = good.rstrip() + b"\n"

    with host_untouched(tmp_path):
        without = judge(broken)
        whole = judge(good)

    assert without.outcome == "patch_rejected", "the last line of the last hunk, a blank one, is missing"
    assert whole.outcome == "success"
