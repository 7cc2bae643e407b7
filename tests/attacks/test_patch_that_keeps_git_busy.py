"""A patch of two megabytes makes a file of equal lines and edits it in places that git must search for, for minutes."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT

LINES, CONTEXT, EDITS = 400_000, 4_000, 60
JUDGE = """
import sys
from pathlib import Path
from tests.trials import evaluate
from rexbench.api.bench import Bench
bench = Bench()
print(evaluate(bench.task("toy"), Path(sys.argv[1]).read_bytes(), int(sys.argv[2]), bench).outcome)
"""


def test_judging_does_not_hang_on_a_patch_that_is_hard_to_apply(
    toy: Task, patch_of: Callable[..., bytes], home: Path, tmp_path: Path
) -> None:
    (tmp_path / "slow.patch").write_bytes(patch_of({"run.sh": "true\n"}) + _slow())
    command = [sys.executable, "-c", JUDGE, str(tmp_path / "slow.patch"), str(HELD_OUT)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as judging:
        try:
            told, _ = judging.communicate(timeout=45)
        except subprocess.TimeoutExpired:
            told = "still at it"
            os.killpg(judging.pid, signal.SIGTERM)
            subprocess.run(["rm", "-rf", str(home / "scratch")], check=True)

    assert told.strip() == "patch_rejected"


def _slow() -> bytes:
    body = b"+a\n" * LINES + b"".join(b"+a\n" * CONTEXT + b"+b%d\n+c\n" % n for n in range(EDITS))
    make = b"diff --git a/z b/z\nnew file mode 100644\n--- /dev/null\n+++ b/z\n@@ -0,0 +1,%d @@\n" % body.count(b"\n")
    edits = b"".join(
        b"@@ -%d,%d +%d,%d @@\n" % (2 + n, CONTEXT + 2, 2 + n, CONTEXT + 2) + b" a\n" * CONTEXT + b"-b%d\n+B%d\n c\n" % (n, n)
        for n in range(EDITS)
    )
    return make + body + b"diff --git a/z b/z\n--- a/z\n+++ b/z\n" + edits
