"""The submitter raises the limits: by ulimit, by system call, by priority, and by a task.toml of the patch's own."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import host_untouched, limited
from tests.trials import evaluate

RAISE = """
import os, resource
for name in ("RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_CORE"):
    try:
        resource.setrlimit(getattr(resource, name), (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print("raised", name)
    except (ValueError, OSError):
        pass
for path in ("/proc/self/oom_score_adj", "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/pids.max"):
    try:
        with open(path, "w", buffering=1) as file:
            file.write("-1000\\n" if "oom" in path else "max\\n")
        print("raised", path)
    except OSError:
        pass
try:
    os.nice(-10)
    print("raised priority")
except OSError:
    pass
"""
SCRIPT = """
ulimit -f unlimited && echo raised by ulimit
python up.py
head -c 40000000 /dev/zero > large
"""
TASK = "[limits]\nseconds = 9999\nmemory_mb = 999999\ndisk_mb = 999999\n"


def test_no_limit_can_be_raised_from_inside(
    toy: Task, bench: Bench, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    patch = patch_of({"run.sh": SCRIPT, "up.py": RAISE, "task.toml": TASK, "limits.toml": TASK})

    with host_untouched(tmp_path):
        verdict = evaluate(limited(toy, disk_mb=20), patch, HELD_OUT, bench)

    assert verdict.outcome == "execution_failed"
    assert (tmp_path / "tasks" / "toy" / "task.toml").read_text().count("memory_mb = 1000") == 1
    assert [line for line in logs(verdict).splitlines() if line.startswith("raised")] == []


@pytest.mark.usefixtures("short_backstop")
def test_a_longer_time_in_a_task_file_of_the_patch_is_not_granted(
    toy: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    with host_untouched(tmp_path):
        verdict = evaluate(limited(toy, seconds=1), patch_of({"run.sh": "sleep 9.75\n", "task.toml": TASK}), HELD_OUT, bench)

    assert verdict.outcome == "timeout"
