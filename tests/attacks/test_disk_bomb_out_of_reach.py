"""The disk is filled in a folder so deep that its full path is longer than the system takes, where a look around does not come."""

from collections.abc import Callable
from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import host_untouched, limited
from tests.trials import evaluate

DEEP = """
import os
for _ in range(25):
    os.mkdir("x" * 200)
    os.chdir("x" * 200)
for n in range(12):
    open(f"part{n}", "wb").write(b"x" * 5 * 2**20)
"""


def test_files_below_a_path_that_is_too_long_count_against_the_disk_limit(
    toy: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    patch = patch_of({"run.sh": "python fill.py\n", "fill.py": DEEP})

    with host_untouched(tmp_path):
        verdict = evaluate(limited(toy, disk_mb=20), patch, HELD_OUT, bench)

    assert (verdict.outcome, verdict.exception) == ("execution_failed", "DiskLimit")


def test_files_in_a_folder_that_may_be_entered_but_not_listed_count_as_well(
    toy: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    """Root lists it all the same; the test tells something where it is run by a plain user."""
    script = "mkdir -m 0300 closed\nfor n in $(seq 12); do head -c 5000000 /dev/zero > closed/$n; done\nsleep 0.5\n"

    with host_untouched(tmp_path):
        verdict = evaluate(limited(toy, disk_mb=20), patch_of({"run.sh": script}), HELD_OUT, bench)

    assert (verdict.outcome, verdict.exception) == ("execution_failed", "DiskLimit")
