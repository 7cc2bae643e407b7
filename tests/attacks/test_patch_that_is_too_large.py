"""The patch itself is the bomb: larger than anything a person would write, or made of thousands of files."""

from collections.abc import Callable
from pathlib import Path

from rexbench.workspace.patch import MAX_FILES, MAX_PATCH
from tests.attacks.conftest import Judge
from tests.attacks.scene import SOLUTION, host_untouched


def test_a_patch_over_the_size_limit_is_refused_unread(judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path) -> None:
    patch = patch_of({"run.sh": "python s.py\n", "s.py": SOLUTION})
    padded = b"#" * (MAX_PATCH - len(patch)) + b"\n" + patch

    with host_untouched(tmp_path):
        verdict = judge(padded)

    assert verdict.outcome == "patch_rejected"
    assert "bytes long" in verdict.detail

    assert judge(patch).outcome == "success", "without the padding it is a right solution"


def test_a_patch_of_too_many_files_is_refused(judge: Judge, tmp_path: Path) -> None:
    empty = "diff --git a/f{0} b/f{0}\nnew file mode 100644\nindex 0000000..e69de29\n"
    patch = "".join(empty.format(n) for n in range(MAX_FILES + 1)).encode()

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert (verdict.outcome, verdict.detail[:27]) == ("patch_rejected", "the patch touches 2001 file")
