"""The last words of a failing experiment hold terminal sequences that wipe the line above and write another verdict there."""

from collections.abc import Callable
from pathlib import Path

from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

LAST_WORDS = r"""
import sys
sys.stderr.write('Traceback (most recent call last):\n  File "/workspace/\x1b[1A\x1b[2Ksuccess", line 1, in \x1b[8mhidden\n')
sys.stderr.write('ValueError: \x1b[1A\x1b[2K\rtoy: success\x07 \x9b2J \u202esseccus\n')
sys.exit(1)
"""


def test_what_is_told_of_a_failure_holds_nothing_that_a_terminal_obeys(
    judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": "python last.py\n", "last.py": LAST_WORDS}))

    assert (verdict.outcome, verdict.exception) == ("execution_failed", "ValueError")
    for told in (verdict.detail, verdict.exception or "", verdict.frame or ""):
        assert told.isprintable(), repr(told)


def test_nor_does_what_is_told_of_a_patch(judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path) -> None:
    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": "true\n", "papers/\x1b[2Ksuccess.md": "x\n"}))

    assert verdict.outcome == "patch_rejected"
    assert verdict.detail.isprintable(), repr(verdict.detail)
