"""Processes that start processes until the machine has no room for another."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import alive, host_untouched, limited
from tests.trials import evaluate

BOMB = """
import os, time
born = 0
for _ in range(600):  # bounded, in case that nothing else is
    try:
        if os.fork() == 0:
            time.sleep(8)
            os._exit(0)
        born += 1
    except OSError:
        time.sleep(0.01)
print("born", born)
time.sleep(8)
"""


@pytest.mark.usefixtures("short_backstop")
def test_a_fork_bomb_stops_at_the_process_limit(
    toy: Task, bench: Bench, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    patch = patch_of({"run.sh": "python fork_bomb_attack.py\n", "fork_bomb_attack.py": BOMB})

    with host_untouched(tmp_path):
        verdict = evaluate(limited(toy, processes=40, seconds=6), patch, HELD_OUT, bench)

    assert (verdict.outcome, verdict.exception) == ("execution_failed", "ProcessLimit")
    assert "born 600" not in logs(verdict), "unlimited, all of them are born"
    assert not alive("fork_bomb_attack.py")


@pytest.mark.usefixtures("short_backstop")
def test_a_bomb_that_swallows_every_refusal_is_stopped_as_well(toy: Task, bench: Bench, patch_of: Callable[..., bytes]) -> None:
    patch = patch_of({"run.sh": "for i in $(seq 300); do sleep 7.25 & done 2>/dev/null; wait; exit 0\n"})

    verdict = evaluate(limited(toy, processes=40, seconds=6), patch, HELD_OUT, bench)

    assert verdict.outcome in ("execution_failed", "timeout")
    assert not alive("sleep 7.25")
