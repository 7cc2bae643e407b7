"""Memory is taken without any process growing: as files in /tmp, in the home and in /dev/shm, and as a file without a name."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.sandbox.protocol import Job, ResourceLimits
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import host_untouched, limited
from tests.conftest import CONFIGURED
from tests.trials import evaluate

FILL = """
import os, sys, time
where = sys.argv[1]
file = os.memfd_create("m") if where == "memfd" else os.open(os.path.expanduser(where), os.O_CREAT | os.O_WRONLY)
for _ in range(250):
    os.write(file, b"x" * 2**20)
time.sleep(0.7)
print("all taken")
"""
PLACES = ["/tmp/fill", "~/fill", "/dev/shm/fill", "memfd"]


@pytest.mark.parametrize("place", PLACES)
def test_files_that_live_in_memory_count_as_memory(
    toy: Task, bench: Bench, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path, place: str
) -> None:
    patch = patch_of({"run.sh": f"python fill.py {place}\n", "fill.py": FILL})

    with host_untouched(tmp_path):
        verdict = evaluate(limited(toy, memory_mb=100), patch, HELD_OUT, bench)

    assert verdict.outcome == "execution_failed"
    assert verdict.exception in ("MemoryLimit", "OSError")
    assert "all taken" not in logs(verdict)


@pytest.mark.parametrize("place", PLACES)
def test_they_count_where_there_are_no_control_groups_too(home: Path, tmp_path: Path, place: str) -> None:
    """On most laptops a plain user may make no control group, and memory is held by looking."""
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "fill.py").write_text(FILL)
    job = Job(f"python fill.py {place}", tree, CONFIGURED.environments.ensure("base"), ResourceLimits(10, 100, 32, 500, 1))

    finished = CONFIGURED.any_sandbox("bubblewrap")._run(job, None)

    assert b"all taken" not in finished.stdout
    assert finished.stopped_by == "memory" or finished.status == 1
