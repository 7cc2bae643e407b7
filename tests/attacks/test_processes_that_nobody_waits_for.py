"""The work is done by processes that live for milliseconds and that the kernel collects itself: no account has their CPU time.

Where there is no control group a supervisor sees the living, and ended ones in the account of whoever waited for them. A parent
that ignores SIGCHLD waits for nobody.
"""

import subprocess
import sys

import pytest

from tests.conftest import CONFIGURED
from tests.ordinary_user import as_nobody, folder_of_nobody, plain_job

BOMB = """
import os, signal, sys, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(int(sys.argv[1])):
    read, write = os.pipe()
    if os.fork() == 0:
        began = time.process_time()
        while time.process_time() - began < float(sys.argv[2]):
            pass
        os._exit(0)
    os.close(write), os.read(read, 1), os.close(read)
accounted = os.times()
print("in no account" if accounted.children_user + accounted.children_system < 0.1 else "waited for")
"""


@pytest.mark.parametrize("lifetime", ["0.005", "0.02", "0.2"])
def test_cpu_time_of_short_lives_is_held_to_the_limit(lifetime: str) -> None:
    with folder_of_nobody() as tree:
        (tree / "bomb.py").write_text(BOMB)
        finished = as_nobody(
            lambda: CONFIGURED.any_sandbox("bubblewrap").run(plain_job(f"python3 bomb.py 100000 {lifetime}", tree, cpu_seconds=0.5))
        )

    assert finished.stopped_by == "cpu"
    assert finished.enforced["cpu"] == "process table, supervisor"


def test_the_parents_account_does_not_have_it() -> None:
    done = subprocess.run([sys.executable, "-S", "-c", BOMB, "30", "0.02"], capture_output=True, text=True, check=True)
    assert "in no account" in done.stdout
