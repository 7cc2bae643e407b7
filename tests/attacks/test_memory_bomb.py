"""Memory is taken until the host has none: by one process, or by many that each stay small."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import alive, host_untouched, limited
from tests.trials import evaluate

ONE = """
import time
taken = []
for _ in range(60):
    taken.append(bytearray(b"x") * (20 * 2**20))
print("all taken")
time.sleep(2)
"""
MANY = """
import os, time
for _ in range(20):
    if os.fork() == 0:
        taken = bytearray(b"x") * (60 * 2**20)
        time.sleep(1)
        os._exit(0)
time.sleep(1)
"""


@pytest.mark.parametrize("bomb", [ONE, MANY], ids=["one-process", "many-processes"])
def test_a_memory_bomb_stops_at_the_memory_limit(
    toy: Task, bench: Bench, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path, bomb: str
) -> None:
    patch = patch_of({"run.sh": "python memory_bomb_attack.py\n", "memory_bomb_attack.py": bomb})

    with host_untouched(tmp_path):
        verdict = evaluate(limited(toy, memory_mb=200), patch, HELD_OUT, bench)

    assert (verdict.outcome, verdict.exception) == ("execution_failed", "MemoryLimit")
    assert "all taken" not in logs(verdict)
    assert not alive("memory_bomb_attack.py")
