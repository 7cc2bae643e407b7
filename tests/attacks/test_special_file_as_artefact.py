"""The artefact is a pipe, a socket or a device that nobody writes to, and whoever opens it waits for ever."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

MAKE = {
    "pipe": "mkfifo results/medians.csv",
    "socket": "python -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"results/medians.csv\")'",
    "folder": "mkdir results/medians.csv",
    "device": "mknod results/medians.csv c 1 5 || ln -s /dev/zero results/medians.csv",
}


@pytest.mark.parametrize("kind", sorted(MAKE))
def test_a_special_file_is_refused_without_waiting(judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path, kind: str) -> None:
    patch = patch_of({"run.sh": f"mkdir results && ({MAKE[kind]}) 2>/dev/null\n"})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert verdict.outcome == "bad_artifact"
    assert "results/medians.csv" in verdict.detail


def test_reading_such_a_pipe_plainly_waits(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run([sys.executable, "-c", "open('pipe').read()"], cwd=tmp_path, timeout=0.5, check=False)
