"""The tree is filled until the host's disk is full: by one huge file, by many, and by files too small to be noticed one by one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import host_untouched, limited
from tests.trials import evaluate

HUGE = "open('huge', 'wb').write(bytes(60 * 2**20))\n"
MANY = "for n in range(12):\n    open(f'part{n}', 'wb').write(b'x' * 5 * 2**20)\n"
SMALL = "for n in range(12_000):\n    open(f's{n}', 'w').close()\n"
REMOVED = MANY + "import os, time\ntime.sleep(0.8)\nfor n in range(12):\n    os.unlink(f'part{n}')\n"


@pytest.mark.parametrize(
    ("bomb", "disk_mb", "exception"),
    [
        pytest.param(HUGE, 20, "OSError", id="one-huge-file"),
        pytest.param(MANY, 20, "DiskLimit", id="many-files"),
        pytest.param(SMALL, 3, "DiskLimit", id="small-files"),
        pytest.param(REMOVED, 20, "DiskLimit", id="removed-before-the-end"),
    ],
)
def test_a_disk_bomb_stops_at_the_disk_limit(
    toy: Task,
    bench: Bench,
    logs: Callable[..., str],
    patch_of: Callable[..., bytes],
    tmp_path: Path,
    bomb: str,
    disk_mb: int,
    exception: str,
) -> None:
    patch = patch_of({"run.sh": "python fill.py && echo all written\n", "fill.py": bomb})

    with host_untouched(tmp_path):
        verdict = evaluate(limited(toy, disk_mb=disk_mb), patch, HELD_OUT, bench)

    assert (verdict.outcome, verdict.exception) == ("execution_failed", exception)
    if exception == "OSError":
        assert "all written" not in logs(verdict)
