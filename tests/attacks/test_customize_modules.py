"""`sitecustomize.py` and `usercustomize.py`, which every Python start imports, are planted to run in whatever grades next."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from rexbench.task.folder import Task
from tests.attacks.conftest import Judge
from tests.attacks.scene import canary, host_untouched

PLANT = """
mkdir -p results
for folder in "$HOME/.local/lib/python3.11/site-packages" "$(python -c 'import site; print(site.getusersitepackages())')" .; do
  mkdir -p "$folder" && cp hook.txt "$folder/usercustomize.py" && cp hook.txt "$folder/sitecustomize.py"
done
for folder in $(python -c 'import site; print(*site.getsitepackages())'); do
  cp hook.txt "$folder/sitecustomize.py" 2>/dev/null && echo "environment written"
done
PYTHONPATH=. python -c 'print("planted")'
"""


def test_a_planted_start_up_module_runs_neither_in_the_judge_nor_in_the_next_run(
    toy: Task, judge: Judge, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    hook = f"print('hook ran')\nopen({str(tmp_path / 'canary.txt')!r}, 'w').write('touched')\n"
    patch = patch_of({"run.sh": PLANT, "hook.txt": hook, "sitecustomize.py": hook, "usercustomize.py": hook})

    with host_untouched(tmp_path):
        verdict = judge(patch)
        next_one = judge(patch_of({"run.sh": "python -c 'print(\"started\")'; ls -A ~\n"}))

    assert verdict.outcome == "bad_artifact"
    assert "hook ran" in logs(verdict), "inside, the hook does what it wants"
    assert "environment written" not in logs(verdict)
    assert logs(next_one) == "started\n", "the next run found something of this one"


def test_a_grader_that_starts_python_beside_the_submission_runs_the_hook(tmp_path: Path) -> None:
    file = canary(tmp_path)
    (tmp_path / "sitecustomize.py").write_text(f"open({str(file)!r}, 'w').write('touched')\n")
    grader = [sys.executable, "-c", "print('grading')"]
    subprocess.run(grader, cwd=tmp_path, env={**os.environ, "PYTHONPATH": "."}, check=True, capture_output=True)
    assert file.read_text() == "touched"
