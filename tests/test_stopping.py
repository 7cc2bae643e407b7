"""Being told to stop: unwinding, blocks that stay whole, and an exception that got lost."""

import signal
import subprocess
import sys

BEGIN = """
import os, signal, sys, time
from rexbench.stopping import held_together, leave_if_told, unwind_when_told
unwind_when_told()
tell = lambda: os.kill(os.getpid(), signal.SIGTERM)
"""


def run(code: str) -> tuple[int, list[str]]:
    done = subprocess.run([sys.executable, "-c", BEGIN + code], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout.split()


def test_whoever_is_told_unwinds_once_and_is_not_cut_short_by_a_second_signal() -> None:
    code = "try:\n    tell(); print('not reached')\nfinally:\n    tell(); print('cleaned')\n"
    assert run(code) == (128 + signal.SIGTERM, ["cleaned"])


def test_a_block_that_is_held_together_is_finished_first() -> None:
    code = "with held_together():\n    with held_together():\n        tell()\n    print('whole')\nprint('not reached')\n"
    assert run(code) == (128 + signal.SIGTERM, ["whole"])


def test_an_exception_that_got_lost_is_raised_again_where_one_looks() -> None:
    code = "class Lost:\n    def __del__(self):\n        tell()\nLost()\nprint('lost')\nleave_if_told()\nprint('not reached')\n"
    assert run(code) == (128 + signal.SIGTERM, ["lost"])


def test_whoever_does_not_unwind_is_ended_by_the_kernel() -> None:
    code = "import rexbench.stopping as s\ns._GRACE_SECONDS = 1\ntry:\n    tell()\nexcept SystemExit:\n    pass\ntime.sleep(30)\n"
    assert run(code) == (-signal.SIGALRM, [])
