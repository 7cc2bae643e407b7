"""An edited workspace holds a module named like one of the standard library, and its user judges it from inside that folder.

Worker processes are started by Python with the current folder on the module path; whatever stands there runs on the host.
"""

import os
import subprocess
import sys
from pathlib import Path

from rexbench.task.folder import Task
from rexbench.workspace.tree import make_workspace
from tests.attacks.scene import canary, host_untouched

JUDGE = "from rexbench.cli.main import main\n\nif __name__ == '__main__':\n    main()\n"


def test_judging_from_inside_a_workspace_imports_nothing_from_it(toy: Task, home: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    make_workspace(toy, workspace, "none")
    file = canary(tmp_path)
    program = tmp_path / "bin" / "rexbench"
    program.parent.mkdir()
    program.write_text(JUDGE)
    for name in ("multiprocessing", "pickle", "struct", "numpy", "rexbench"):
        (workspace / f"{name}.py").write_text(f"open({str(file)!r}, 'w').write('touched by {name}')\nraise SystemExit(1)\n")

    with host_untouched(tmp_path):
        command = ["evaluate", ".", "--task", "toy", "--variant-seed", "4242", "--jobs", "2", "--json"]
        rexbench = [sys.executable, str(program), *command]
        done = subprocess.run(rexbench, cwd=workspace, capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 0, done.stderr[-500:]
    assert '"bad_artifact"' in done.stdout


def test_python_started_inside_such_a_folder_runs_its_modules(tmp_path: Path) -> None:
    file = canary(tmp_path)
    (tmp_path / "pickle.py").write_text(f"open({str(file)!r}, 'w').write('touched')\n")
    subprocess.run([sys.executable, "-c", "import pickle"], cwd=tmp_path, env=dict(os.environ), check=False)
    assert file.read_text() == "touched"
