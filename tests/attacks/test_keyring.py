"""One run leaves a note in the kernel's keyring of the login session, which no file system shows, and the next run reads it."""

import subprocess
import sys
from pathlib import Path

KEYS = """
import ctypes, platform
numbers = {"x86_64": (248, 250), "aarch64": (217, 219)}.get(platform.machine())
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
if numbers:
    add, control = numbers
    found = ctypes.create_string_buffer(64)
    for ring in (-3, -4, -5):
        key = libc.syscall(control, 10, ring, b"user", b"rexbench-note", 0)
        if key > 0 and libc.syscall(control, 11, key, found, 64) > 0:
            print("found", found.value.decode())
        libc.syscall(add, b"user", b"rexbench-note", b"left by an earlier run", 22, ring)
"""
TWO_RUNS = """
import ctypes, platform, sys
from pathlib import Path
from rexbench.api.bench import Bench
from rexbench.sandbox.protocol import Job, ResourceLimits
number = {"x86_64": 250, "aarch64": 219}.get(platform.machine())
if number:
    ctypes.CDLL(None).syscall(number, 1, None)  # a session of its own, as a login makes one
tree = Path(sys.argv[1])
job = Job("python keys.py", tree, Bench().environments.ensure("base"), ResourceLimits(10, 500, 16, 16, 1))
for _ in range(2):
    if "plainly" in sys.argv:
        import subprocess
        print("run", subprocess.run([sys.executable, "keys.py"], cwd=tree, capture_output=True, text=True).stdout, end="")
    else:
        print("run", Bench().sandbox.run(job).stdout.decode(), end="")
"""


def test_a_note_in_the_keyring_does_not_reach_the_next_run(home: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "keys.py").write_text(KEYS)

    told = subprocess.run([sys.executable, "-c", TWO_RUNS, str(tree)], capture_output=True, text=True, check=True).stdout

    assert told.split() == ["run", "run"]


def test_in_the_open_the_note_is_found(home: Path, tmp_path: Path) -> None:
    (tmp_path / "keys.py").write_text(KEYS)
    told = subprocess.run([sys.executable, "-c", TWO_RUNS, str(tmp_path), "plainly"], capture_output=True, text=True, check=True)
    assert "found left by an earlier run" in told.stdout
