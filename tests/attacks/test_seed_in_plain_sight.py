"""The experiment learns the held-out seed from the mount table and from the sandbox's own arguments.

With the seed, whoever knows how the data are made has everything that went into them, hidden parts included.
"""

from collections.abc import Callable
from pathlib import Path

from tests.attacks.conftest import HELD_OUT, Judge
from tests.attacks.scene import host_untouched

LOOK = """
cat /proc/self/mountinfo /proc/mounts
for pid in /proc/[0-9]*; do tr '\\0' ' ' < $pid/cmdline; tr '\\0' ' ' < $pid/environ; done
env; readlink -f data; ls -la data/ ..
"""


def test_the_held_out_seed_is_not_told_inside(
    judge: Judge, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": LOOK}))

    assert verdict.outcome == "bad_artifact"
    assert "/workspace/data" in logs(verdict), "the mount table was read"
    assert [line for line in logs(verdict).splitlines() if f"-{HELD_OUT}" in line or f"/{HELD_OUT}" in line] == []
