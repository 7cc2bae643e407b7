"""A failing run makes the sandbox's own first process die as if the host had killed it: faults of ours are retried, never scored.

As an ordinary user's, the first process belongs to the same user as the run: it can be traced, written to, and given a CPU limit
that the kernel then kills it for.
"""

import subprocess
from pathlib import Path

from tests.conftest import CONFIGURED
from tests.ordinary_user import as_nobody, folder_of_nobody, plain_job

REACH = """
import ctypes, os, resource, sys
libc = ctypes.CDLL(None, use_errno=True)
try:
    resource.prlimit(1, resource.RLIMIT_CPU, (10**6, 10**6))  # harmless where it works; 1 would kill it
    print("limited")
except OSError:
    pass
text = ctypes.create_string_buffer(b"x")
class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]
nowhere = Vector(8, 1)
libc.process_vm_writev(1, ctypes.byref(Vector(ctypes.addressof(text), 1)), 1, ctypes.byref(nowhere), 1, 0)
if ctypes.get_errno() == 14:  # the address is bad, the process was within reach
    print("written")
for name in ("mem", "task/1/mem", "oom_score_adj"):
    try:
        os.close(os.open(f"/proc/1/{name}", os.O_RDWR))
        print("opened", name)
    except OSError:
        pass
if libc.ptrace(0x4206, 1, None, ctypes.c_void_p(0x100000)) == 0:  # seized; it will be killed with us
    print("seized")
sys.stdout.flush()
os._exit(3)
"""


def test_nothing_inside_reaches_the_first_process() -> None:
    with folder_of_nobody() as tree:
        (tree / "reach.py").write_text(REACH)
        finished = as_nobody(lambda: CONFIGURED.any_sandbox("bubblewrap").run(plain_job("python3 reach.py", tree)))

    assert (finished.stdout, finished.status) == (b"", 3)


def test_without_filter_and_a_read_only_process_table_it_is_reached_and_killed() -> None:
    plain = ["--unshare-all", "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"]

    def run(tree: Path) -> tuple[str, int]:
        command = ["bwrap", *plain, "--proc", "/proc", "--bind", str(tree), "/tree", "/usr/bin/python3", "/tree/reach.py"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.stdout, done.returncode

    with folder_of_nobody() as tree:
        (tree / "reach.py").write_text(REACH)
        told, status = as_nobody(lambda: run(tree))

    assert "limited" in told and "written" in told and "opened mem" in told
    assert "seized" not in told or status == 137, "not what the program itself ended with"
