"""The held-out data are changed while the experiment runs, so that the judge, who reads them too, sees what suits it."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from rexbench.task.variants import make_variant
from tests.attacks.conftest import HELD_OUT, Judge
from tests.attacks.scene import host_untouched, snapshot

EDIT = """
mkdir -p results
for try in 'echo a,1 > data/readings.csv' 'rm -f data/readings.csv' 'chmod u+w data data/readings.csv' 'mv data moved' \\
    'rm -rf data && mkdir data' 'ln -sf /tmp data' 'touch data/new' 'mv data/readings.csv data/old' \\
    'truncate -s 0 data/readings.csv' \\
    'mount --bind /tmp data' 'umount data' 'mount -o remount,rw data'; do
  (eval "$try") 2>/dev/null && echo "managed: $try"
done
echo 'group,milliseconds' > only.csv; echo 'a,1.0' >> only.csv
cp only.csv data/readings.csv 2>/dev/null
printf 'group,median\\na,1.000000\\n' > results/medians.csv
"""


def test_the_held_out_data_cannot_be_changed_from_inside(
    toy: Task,
    judge: Judge,
    logs: Callable[..., str],
    patch_of: Callable[..., bytes],
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]],
    careless_tree: Path,
    tmp_path: Path,
) -> None:
    before = snapshot(make_variant(toy, HELD_OUT, Bench().home).data)
    patch = patch_of({"run.sh": EDIT})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert (verdict.outcome, verdict.detail) == ("bad_artifact", "medians.csv: 4 of 5 ids are missing")
    assert "managed" not in logs(verdict)
    assert snapshot(make_variant(toy, HELD_OUT, Bench().home).data) == before

    harmless = EDIT.replace("'mount --bind /tmp data' 'umount data' 'mount -o remount,rw data'", "").replace(
        "'ln -sf /tmp data'", ""
    )
    assert "managed: echo a,1" in unprotected(patch_of({"run.sh": harmless})).stdout
    assert (careless_tree / "data" / "readings.csv").read_bytes() != (
        make_variant(toy, HELD_OUT, Bench().home).data / "readings.csv"
    ).read_bytes()
