"""Text in front of the patch claims renames of files that the patch never touches, to raise the share of right files it edits."""

from collections.abc import Callable
from pathlib import Path

from rexbench.task.folder import Task
from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched


def test_files_that_are_named_but_not_edited_do_not_count(
    toy: Task, judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    claims = b"rename from readingtimes/summary.py\nrename from readingtimes/__main__.py\n\n"

    with host_untouched(tmp_path):
        verdict = judge(claims + patch_of({"run.sh": "true\n"}))

    assert verdict.outcome == "bad_artifact"
    assert verdict.file_recall == 0
