"""The program signals all that it can number: every process, its parent, its group, and the judge by its number outside."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

KILLER = """
import ctypes, os, signal
try:
    os.kill(VICTIM, signal.SIGKILL)
    print("killed", VICTIM)
except OSError:
    pass
for pid in OUTSIDE:
    try:
        os.kill(pid, 0)
        print("reached", pid)
    except OSError:
        pass
    if ctypes.CDLL(None).ptrace(0x4206, pid, 0, 0) == 0:
        print("traced", pid)
if b"bwrap" not in open("/proc/1/cmdline", "rb").read():
    raise SystemExit("not in a sandbox: what follows would end every process of the machine")
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for target in (1, 0):
    try:
        os.kill(target, signal.SIGTERM)
    except OSError:
        pass
print("still here", flush=True)
os.kill(-1, signal.SIGKILL)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_no_signal_reaches_a_process_of_the_host(
    judge: Judge, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True) as victim:
        try:
            outside = f"VICTIM, OUTSIDE = {victim.pid}, {[victim.pid, os.getpid(), os.getppid()]}\n"
            patch = patch_of({"run.sh": "trap '' TERM\npython kill.py\n", "kill.py": outside + KILLER})

            with host_untouched(tmp_path):
                verdict = judge(patch)

            assert verdict.outcome == "execution_failed"
            assert verdict.exception == "Signal"
            assert logs(verdict) == "still here\n"
            assert victim.poll() is None, "the neighbour was killed"

            os.kill(victim.pid, signal.SIGKILL)
            assert victim.wait(timeout=5) == -signal.SIGKILL, "in the open, the number is enough"
        finally:
            victim.kill()
