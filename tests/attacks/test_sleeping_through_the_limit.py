"""CPU time is limited, so the run sleeps, with a little work now and then, until the machine's patience ends and is blamed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import alive, host_untouched, limited
from tests.busy import busy_processor
from tests.trials import evaluate

DOZE = """
import os, time
while True:
    began = time.process_time()
    while time.process_time() - began < 0.002:
        pass
    time.sleep(0.2)
"""
VFORK = "import subprocess\nwhile True:\n    subprocess.run(['sleep', '300.25'])\n"


@pytest.mark.usefixtures("short_backstop")
@pytest.mark.parametrize("program", [DOZE, VFORK], ids=["dozing", "waiting for a child"])
@pytest.mark.parametrize("loops", [0, 6], ids=["free", "busy"])
def test_a_run_that_sleeps_has_timed_out_whatever_the_load(
    toy: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path, program: str, loops: int
) -> None:
    patch = patch_of({"run.sh": "python dozing_attack.py\n", "dozing_attack.py": program})

    with host_untouched(tmp_path), busy_processor(loops):
        verdict = evaluate(limited(toy, seconds=5), patch, HELD_OUT, bench)

    assert verdict.outcome == "timeout"
    assert not alive("dozing_attack.py") and not alive("sleep 300.25")
