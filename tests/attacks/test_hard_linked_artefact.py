"""The artefact is a second name of another file: of the tree, or, where that could be had, of the host."""

from collections.abc import Callable
from pathlib import Path

from rexbench.task.folder import Task
from tests.attacks.conftest import Judge
from tests.attacks.scene import answer, host_untouched

LINK = """
mkdir -p results
for file in HOSTFILE data/readings.csv /opt/rexbench-environment/requirements.txt; do
  ln "$file" stolen 2>/dev/null && echo "linked $file"
done
ln stash.csv results/medians.csv
"""


def test_an_artefact_with_a_second_name_is_refused(
    toy: Task, judge: Judge, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    script = LINK.replace("HOSTFILE", str(tmp_path / "canary.txt"))
    patch = patch_of({"run.sh": script, "stash.csv": answer(toy)})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert (verdict.outcome, verdict.detail) == ("bad_artifact", "results/medians.csv is a hard link")
    assert "linked" not in logs(verdict)

    once = patch_of({"run.sh": "mkdir results && cp stash.csv results/medians.csv\n", "stash.csv": answer(toy)})
    assert judge(once).outcome == "success", "the content is right: the second name alone is why it was refused"
