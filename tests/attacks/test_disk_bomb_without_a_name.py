"""The disk is filled by files that are removed while they are open: they take room, and no listing shows them."""

from collections.abc import Callable
from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import host_untouched, limited
from tests.trials import evaluate

NAMELESS = """
import os, time
held = []
for n in range(12):
    held.append(open("part", "wb"))
    os.unlink("part")
    held[-1].write(b"x" * 5 * 2**20)
    held[-1].flush()
time.sleep(1)
print("all written")
"""


def test_files_without_a_name_count_against_the_disk_limit(
    toy: Task, bench: Bench, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    patch = patch_of({"run.sh": "python fill.py\n", "fill.py": NAMELESS})

    with host_untouched(tmp_path):
        verdict = evaluate(limited(toy, disk_mb=20), patch, HELD_OUT, bench)

    assert (verdict.outcome, verdict.exception) == ("execution_failed", "DiskLimit")
    assert "all written" not in logs(verdict)
