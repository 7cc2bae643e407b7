"""The experiment reads its parent and every other process in /proc: arguments, environment, open files and file systems."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

SNOOP = """
import json, os, sys
seen = {}

def attempt(act, otherwise):
    try:
        return act()
    except OSError:  # not for us, or gone in the meantime
        return otherwise
for pid in sys.argv[1:] or filter(str.isdigit, os.listdir("/proc")):
    at = f"/proc/{pid}/"
    seen[pid] = {
        "cmdline": attempt(lambda: open(at + "cmdline").read(), ""),
        "environ": attempt(lambda: open(at + "environ").read(), ""),
        "fds": attempt(lambda: [os.readlink(at + "fd/" + fd) for fd in os.listdir(at + "fd")], []),
        "root": attempt(lambda: sorted(os.listdir(at + "root")), []),
    }
print(json.dumps({"parent": os.getppid(), "seen": seen, "own": sorted(map(int, os.listdir("/proc/self/fd")))}))
"""


def test_nothing_but_the_sandbox_itself_is_in_proc(
    judge: Judge, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEL_API_KEY", "of-the-host")

    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": "exec python snoop.py\n", "snoop.py": SNOOP}))

    assert verdict.outcome == "bad_artifact"
    told = json.loads(logs(verdict))
    names = [entry["cmdline"].split("\0")[0] for entry in told["seen"].values()]
    assert sorted(names) in (["bwrap", "python"], ["bash", "bwrap", "python"]), names
    assert "of-the-host" not in json.dumps(told)
    files = [file for entry in told["seen"].values() for file in entry["fds"]]
    assert not [file for file in files if not file.startswith(("/dev/null", "pipe:", "anon_inode:", "/proc/"))]
    assert len(told["own"]) == 4, "more was handed in than the three standard streams"
    assert all(not entry["root"] or "workspace" in entry["root"] for entry in told["seen"].values())


def test_in_the_open_the_parent_tells_everything(tmp_path: Path) -> None:
    """Asked of the test's own two processes alone: others on the machine are nobody's business."""
    (tmp_path / "snoop.py").write_text(SNOOP)
    env = {**os.environ, "MODEL_API_KEY": "of-the-host"}
    command = f"{sys.executable} snoop.py $$ {os.getpid()} & wait"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert "of-the-host" in told["seen"][str(told["parent"])]["environ"]
    assert told["seen"][str(os.getpid())]["cmdline"]
