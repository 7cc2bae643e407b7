"""One part of the patch makes a link out of the tree, and the next writes a file through it."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

LINK = "diff --git a/{0} b/{0}\nnew file mode 120000\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+{1}\n\\ No newline at end of file\n"
FILE = "diff --git a/{0} b/{0}\nnew file mode 100644\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+touched\n"


@pytest.mark.parametrize("target", ["absolute", "upwards"])
def test_nothing_is_written_through_a_link_of_the_same_patch(
    judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path, target: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    to = str(outside) if target == "absolute" else "../../../../outside"
    patch = patch_of({"run.sh": "true\n"}) + (LINK.format("way", to) + FILE.format("way/planted.txt")).encode()

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert verdict.outcome == "patch_rejected"
    assert list(outside.iterdir()) == []


def test_a_file_that_becomes_a_link_is_not_written_through(judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path) -> None:
    patch = (LINK.format("way", tmp_path / "canary.txt") + FILE.format("way")).encode()

    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": "true\n"}) + patch)

    assert verdict.outcome in ("patch_rejected", "bad_artifact")


def test_a_tool_that_does_not_look_writes_outside(tmp_path: Path) -> None:
    outside, tree = tmp_path / "outside", tmp_path / "tree"
    outside.mkdir()
    tree.mkdir()
    (tree / "way").symlink_to(outside)
    subprocess.run(["tee", "way/planted.txt"], cwd=tree, input=b"touched\n", capture_output=True, check=True)
    assert (outside / "planted.txt").read_text() == "touched\n"
