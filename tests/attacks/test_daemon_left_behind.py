"""A process that outlives the experiment and writes the results later, once nobody watches."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests.attacks.conftest import Judge

DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for fd in (0, 1, 2):
            os.close(fd)
        time.sleep(1)
        os.makedirs("results", exist_ok=True)
        open("results/late", "w").write("still here")
        time.sleep(5)
    os._exit(0)
"""


def test_a_daemon_is_gone_before_artefacts_are_collected(
    judge: Judge,
    patch_of: Callable[..., bytes],
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]],
    careless_tree: Path,
) -> None:
    name = f"daemon_{os.getpid()}.py"
    patch = patch_of({"run.sh": f"python {name}\n", name: DAEMON})

    verdict = judge(patch)

    assert verdict.outcome == "bad_artifact"
    assert not _alive(name), "the sandbox returned while a process of the job was alive"

    unprotected(patch)
    time.sleep(2)
    assert (careless_tree / "results" / "late").read_text() == "still here"


def _alive(name: str) -> list[str]:
    told = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout
    return [line for line in told.splitlines() if f"python {name}" in line]
