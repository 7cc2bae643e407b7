"""The experiment traces the sandbox's own first process and takes it down with it, so that the run ends like a fault of ours."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import alive, host_untouched, limited
from tests.trials import evaluate

ATTACH = "libc.ptrace(16, 1, None, None), time.sleep(0.2), libc.ptrace(8, 1, None, None)"
SEIZE = "libc.ptrace(0x4206, 1, None, ctypes.c_void_p(0x100000))"
STOP = "libc.ptrace(16, 1, None, None)"
TRACE = "import ctypes, os, time\nlibc = ctypes.CDLL(None, use_errno=True)\nprint(%s, flush=True)\nos._exit(0)\n"


@pytest.mark.usefixtures("short_backstop")
@pytest.mark.parametrize("how", [ATTACH, SEIZE, STOP], ids=["killed", "killed-with-its-tracer", "left-stopped"])
def test_taking_down_the_first_process_is_an_outcome_and_no_fault_of_ours(
    toy: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path, how: str
) -> None:
    patch = patch_of({"run.sh": "python first_process_attack.py\n", "first_process_attack.py": TRACE % how})

    with host_untouched(tmp_path):
        verdict = evaluate(limited(toy, seconds=1), patch, HELD_OUT, bench)

    assert verdict.outcome in ("execution_failed", "timeout", "bad_artifact")
    assert not alive("first_process_attack.py")
