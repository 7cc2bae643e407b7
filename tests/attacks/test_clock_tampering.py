"""The program stops the clocks that it can reach, so that an experiment over its time limit looks as if it took none."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import alive, host_untouched, limited
from tests.trials import evaluate

STOPPED = """
import ctypes, subprocess, sys, time
started = time.time()
sleep = time.sleep
time.time = time.monotonic = time.perf_counter = lambda: started
print("date", subprocess.run(["date", "-s", f"@{started:.0f}"], capture_output=True).returncode)
clock = (ctypes.c_long * 2)(int(started), 0)  # to what it is: nothing is hurt where it works
print("clock_settime", ctypes.CDLL(None).clock_settime(0, ctypes.byref(clock)))
for _ in range(int(sys.argv[1])):
    sleep(0.1)
print("elapsed", time.time() - started)
"""


@pytest.mark.usefixtures("short_backstop")
def test_time_is_taken_by_a_clock_that_the_experiment_cannot_reach(
    toy: Task, bench: Bench, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    patch = patch_of({"run.sh": "python stopped_clock.py 100\n", "stopped_clock.py": STOPPED})
    real, steady = time.time(), time.monotonic()

    with host_untouched(tmp_path):
        verdict = evaluate(limited(toy, seconds=1), patch, HELD_OUT, bench)

    assert verdict.outcome == "timeout"
    assert verdict.seconds >= 2, "less than the backstop was counted"
    assert abs((time.time() - real) - (time.monotonic() - steady)) < 1, "the host's clock was set"
    assert "date 1" in logs(verdict) and "clock_settime -1" in logs(verdict)
    assert not alive("stopped_clock.py 100")


def test_a_program_that_times_itself_reports_nothing(tmp_path: Path) -> None:
    harmless = STOPPED.replace('subprocess.run(["date", "-s", f"@{started:.0f}"], capture_output=True).returncode', "0")
    harmless = harmless.replace("ctypes.CDLL(None).clock_settime(0, ctypes.byref(clock))", "0")
    (tmp_path / "stopped.py").write_text(harmless)
    done = subprocess.run(["python3", "stopped.py", "3"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "elapsed 0.0" in done.stdout, "with its own clock stopped, the program believes that no time has passed"
