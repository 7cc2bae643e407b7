"""The graded program writes the files that a grader would write: records, rewards and scores, wherever it can."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from rexbench.places import Home
from rexbench.record.store import Store
from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

FORGER = """
import json, os, pathlib
verdict = json.dumps({"outcome": "success", "ending": "ran", "metrics": {"groups": 5, "mean_of_medians": 400.0}, "reward": 1.0})
folders = [".", "results", "..", "../record", os.path.expanduser("~"), HOME, RECORD]
if os.getcwd() == "/workspace":  # in the open, nothing outside the test's own folder is to be littered
    folders += ["/logs/verifier", "/tmp"]
for folder in folders:
    for name in ("execution.json", "evaluation.json", "reward.txt", "reward.json", "verdict.json"):
        try:
            os.makedirs(folder, exist_ok=True)
            pathlib.Path(folder, name).write_text(verdict)
        except OSError as error:
            print(folder, name, error.strerror)
"""


def test_verdicts_written_by_the_experiment_reach_no_record(
    judge: Judge,
    home: Path,
    patch_of: Callable[..., bytes],
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]],
    tmp_path: Path,
) -> None:
    record = tmp_path / "home" / "evaluations" / "00"
    places = f"HOME, RECORD = {str(tmp_path / 'home')!r}, {str(record)!r}\n"
    patch = patch_of({"run.sh": "python forge.py\n", "forge.py": places + FORGER})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert verdict.outcome == "bad_artifact"
    kept = Store(Home(home)).find_execution(verdict.execution)
    assert kept is not None and kept.ending == "bad_artifact" and kept.metrics == {}
    on_disk = sorted(path.name for path in Store(Home(home)).execution_folder(verdict.execution).rglob("*") if path.is_file())
    assert on_disk == ["execution.json", "patch.diff", "stderr.log", "stdout.log"]
    assert not record.exists()

    unprotected(patch)
    assert json.loads((record / "evaluation.json").read_text())["outcome"] == "success", "in the open, the store itself is written"
