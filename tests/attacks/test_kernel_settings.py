"""The host's kernel takes settings from whoever may write /proc/sys; one of them names a program that it runs as root, outside.

Judged by root, the experiment is root to the kernel's eyes even without a single capability, and the files let their owner in.
"""

from collections.abc import Callable
from pathlib import Path

from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

OPEN = """
import os
for folder in ("kernel", "vm", "fs"):
    for parent, _, names in os.walk(f"/proc/sys/{folder}"):
        for name in names:
            path = os.path.join(parent, name)
            if name in ("hostname", "domainname", "ns_last_pid", "auto_msgmni") or "mqueue" in path:
                continue  # the sandbox's own
            if name.startswith(("msg", "sem", "shm")):
                continue  # likewise
            if name == "pid_max":  # the sandbox's own on newer kernels, the host's on older ones: the host looks whether it changed
                try:
                    open(path, "w").write("30123")
                except OSError:
                    pass
                continue
            try:
                os.close(os.open(path, os.O_WRONLY))
                print("writable", path)
            except OSError:
                pass
for path in ("/proc/sysrq-trigger", "/proc/mtrr", "/proc/kcore", "/proc/kmsg", "/dev/mem", "/dev/kmsg", "/sys/kernel/mm"):
    try:
        os.close(os.open(path, os.O_RDWR))
        print("writable", path)
    except OSError:
        pass
"""
CORE_PATTERN = Path("/proc/sys/kernel/core_pattern")
PID_MAX = Path("/proc/sys/kernel/pid_max")


def test_no_setting_of_the_host_kernel_can_be_opened_for_writing(
    judge: Judge, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    before, most = CORE_PATTERN.read_text(), PID_MAX.read_text()

    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": "python settings.py\n", "settings.py": OPEN}))

    assert verdict.outcome == "bad_artifact"
    assert CORE_PATTERN.read_text() == before
    assert PID_MAX.read_text() == most
    assert logs(verdict).splitlines() == []
