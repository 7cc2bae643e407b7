"""Memory is spread over maps that are shared, a different one in each process; counted by the largest, they are nearly nothing.

It must not be counted by every process that sees it either: workers that were forked from a large parent share all of it.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rexbench.sandbox.processes import Tree, processes_below
from tests.conftest import CONFIGURED
from tests.ordinary_user import as_nobody, folder_of_nobody, plain_job

SPREAD = """
import mmap, os, time
read, write = os.pipe()
for _ in range(4):
    if os.fork() == 0:
        own = mmap.mmap(-1, 100 * 2**20)
        own.write(b"x" * (100 * 2**20))
        os.write(write, b"t")
        time.sleep(60)
        os._exit(0)
for _ in range(4):
    os.read(read, 1)
print("taken", flush=True)
time.sleep(3)
print("and kept", flush=True)
"""
FORKED = """
import os, time
held = b"x" * (150 * 2**20)
for _ in range(4):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
time.sleep(1)
print("and kept", flush=True)
"""


@pytest.mark.parametrize(("script", "stopped_by"), [(SPREAD, "memory"), (FORKED, None)], ids=["spread", "forked"])
def test_shared_memory_is_counted_once_and_counted(script: str, stopped_by: str | None) -> None:
    with folder_of_nobody() as tree:
        (tree / "take.py").write_text(script)
        finished = as_nobody(lambda: CONFIGURED.any_sandbox("bubblewrap").run(plain_job("python3 take.py", tree)))

    assert finished.stopped_by == stopped_by
    assert (b"and kept" in finished.stdout) == (stopped_by is None)
    assert finished.enforced["memory"] == "supervisor"


def test_by_private_memory_and_the_largest_share_the_maps_would_not_be_seen() -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", SPREAD], stdout=subprocess.PIPE) as taking:
        assert taking.stdout and taking.stdout.readline() == b"taken\n"
        seen = Tree(taking.pid, 0).look().memory_mb
        private = largest = 0
        for pid in processes_below(taking.pid):
            _, resident, shared, *_ = map(int, Path(f"/proc/{pid}/statm").read_text().split())
            private, largest = private + resident - shared, max(largest, shared)
        for pid in processes_below(taking.pid):
            os.kill(pid, signal.SIGKILL)
    page = os.sysconf("SC_PAGE_SIZE")
    assert (private + largest) * page < 200 * 2**20
    assert seen >= 400
