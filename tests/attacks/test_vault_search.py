"""The experiment searches every file that it can reach for the gold patch, the sealed vault, the judge and the variant's maker."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from rexbench.task.vault import seal
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import host_untouched, limited
from tests.trials import evaluate

SEARCH = """
place=/; [ -d /workspace ] || place=..
for name in vault.bin gold.patch judge.py variant.py task.toml near_misses; do wanted+=(-o -name $name); done
find $place -path /proc -prune -o -path '*/site-packages' -prune -o \\( -false "${wanted[@]}" \\) -print 2>/dev/null
exit 0
"""


@pytest.mark.timeout(900)
def test_no_gold_is_anywhere_in_the_file_system_of_the_experiment(
    toy: Task,
    bench: Bench,
    logs: Callable[..., str],
    patch_of: Callable[..., bytes],
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]],
    tmp_path: Path,
) -> None:
    (toy.folder / "vault.bin").write_bytes(seal(toy.vault.files, toy.vault_key))
    patch = patch_of({"run.sh": SEARCH})

    with host_untouched(tmp_path):
        verdict = evaluate(limited(toy, seconds=600), patch, HELD_OUT, bench)  # a cold disk with a large system takes its time

    assert verdict.outcome == "bad_artifact"
    assert logs(verdict) == ""

    found = unprotected(patch).stdout
    assert "vault/gold.patch" in found and "vault.bin" in found and "judge.py" in found
