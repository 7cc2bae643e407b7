"""The submission walks up the call stack and through the garbage collector to the grader's objects and takes the answer there."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from rexbench.task.folder import Task
from tests.attacks.conftest import Judge
from tests.attacks.scene import answer, host_untouched

WALKER = """
import gc, inspect, os, sys
loot = None
for frame in inspect.stack():
    for value in list(frame.frame.f_locals.values()) + list(frame.frame.f_globals.values()):
        if isinstance(value, str) and value.startswith("group,median"):
            loot = value
for thing in gc.get_objects():
    if isinstance(thing, dict) and "gold" in thing and isinstance(thing["gold"], str):
        loot = thing["gold"]
print("grader modules", sorted(name for name in sys.modules if "rexbench" in name or "judge" in name or "pytest" in name))
print("loot", loot is not None)
if loot:
    os.makedirs("results", exist_ok=True)
    open("results/medians.csv", "w").write(loot)
"""

CARELESS_GRADER = """
import sys
def grade(gold):
    exec(compile(open("walk.py").read(), "walk.py", "exec"), {})
grade(open(sys.argv[1]).read())
"""


def test_the_grader_is_nowhere_in_the_process_of_the_submission(
    toy: Task, judge: Judge, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": "python walk.py\n", "walk.py": WALKER}))

    assert verdict.outcome == "bad_artifact"
    assert "grader modules []" in logs(verdict) and "loot False" in logs(verdict)

    (tmp_path / "walk.py").write_text(WALKER)
    (tmp_path / "gold.csv").write_text(answer(toy))
    subprocess.run([sys.executable, "-c", CARELESS_GRADER, "gold.csv"], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "results" / "medians.csv").read_text() == answer(toy), "run inside a grader, the walk finds the answer"
