"""Processes that ignore every signal they can, stop themselves, or hide behind sessions, to outlive the time limit."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import alive, host_untouched, limited
from tests.trials import evaluate

IGNORING = """
import os, signal, sys, time
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    try:
        signal.signal(number, signal.SIG_IGN)
    except OSError:
        pass
"""
SLEEP = "end = time.monotonic() + 12\nwhile time.monotonic() < end:\n    time.sleep(0.2)\n"
STOPPING = "import os, signal, time\nif os.fork():\n    time.sleep(12)\nelse:\n    os.kill(os.getpid(), signal.SIGSTOP)\n"
SESSIONS = "for _ in range(5):\n    if os.fork():\n        os.waitpid(-1, 0) if _ == 0 else None\n        break\n    os.setsid()\n"
RESPAWNING = "while os.fork():\n    os.waitpid(-1, 0)\n" + SLEEP


@pytest.mark.usefixtures("short_backstop")
@pytest.mark.parametrize(
    "program",
    [IGNORING + SLEEP, STOPPING, IGNORING + SESSIONS + SLEEP, IGNORING + RESPAWNING],
    ids=["ignoring", "stopped", "sessions", "respawning"],
)
def test_at_the_time_limit_everything_is_gone(
    toy: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path, program: str
) -> None:
    patch = patch_of({"run.sh": "trap '' TERM INT HUP\npython stubborn_attack.py\n", "stubborn_attack.py": program})

    with host_untouched(tmp_path):
        verdict = evaluate(limited(toy, seconds=0.8), patch, HELD_OUT, bench)

    assert verdict.outcome == "timeout"
    assert not alive("stubborn_attack.py")
