"""On a busy machine a run lowers its own priority, waits for processors ever after, and puts that down to the machine."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

BACK = """
import os
for step in (
    lambda: os.nice(19),
    lambda: os.setpriority(os.PRIO_PROCESS, 0, 19),
    lambda: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0)),
    lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}),
    lambda: open("/proc/self/autogroup", "w").write("19"),
):
    try:
        step()
    except OSError as error:
        print(error)
print("nice", os.getpriority(os.PRIO_PROCESS, 0) - int(os.environ.get("BEFORE", "0")))
print("idle", os.sched_getscheduler(0) == os.SCHED_IDLE)
print("processors", len(os.sched_getaffinity(0)), os.cpu_count())
"""


def test_stepping_back_behind_others_has_no_effect(
    judge: Judge, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    before = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpriority(0, 0))"], capture_output=True, text=True, check=True
    )
    script = f"BEFORE={before.stdout.strip()} python back.py\n"

    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": script, "back.py": BACK}))

    told = dict(line.split(" ", 1) for line in logs(verdict).splitlines() if line.split(" ")[0] in ("nice", "idle", "processors"))
    assert told["nice"] == "0" and told["idle"] == "False"
    assert len(set(told["processors"].split())) == 1, "as many as there are"


def test_in_the_open_it_has(
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]], patch_of: Callable[..., bytes]
) -> None:
    # In a session of its own: what steps back with it would else be the session of whoever runs the tests.
    told = unprotected(patch_of({"run.sh": "setsid --wait python back.py\n", "back.py": BACK})).stdout
    assert "nice 19" in told and "idle True" in told and "processors 1 " in told
