"""Sockets to the hypervisor belong to no network namespace: in a virtual machine they lead out of a sandbox that has no network."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

OPEN = """
import socket
try:
    socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).close()
    print("opened")
except OSError as error:
    print("refused", error.errno)
"""


def test_no_socket_to_the_hypervisor_can_be_opened(
    judge: Judge, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    outside = subprocess.run([sys.executable, "-c", OPEN], capture_output=True, text=True, check=True).stdout

    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": "python knock.py\n", "knock.py": OPEN}))

    assert verdict.outcome == "bad_artifact"
    assert "refused" in logs(verdict), f"outside it is: {outside}"
