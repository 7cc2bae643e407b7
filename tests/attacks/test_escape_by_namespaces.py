"""The program tries the doors out of a sandbox: mounts, namespaces, roots, devices, set-user-id files."""

from collections.abc import Callable
from pathlib import Path

from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

DOORS = """
import ctypes, os, shutil, subprocess
libc = ctypes.CDLL(None, use_errno=True)
def door(name, opened):
    if opened:
        print("open:", name)
for name, flag in (("user", 0x10000000), ("mount", 0x20000), ("pid", 0x20000000), ("net", 0x40000000), ("uts", 0x4000000)):
    door(f"unshare {name}", os.fork() == 0 and (libc.unshare(flag) == 0 and print("open: unshare", name), os._exit(0)))
    os.wait()
os.makedirs("/tmp/root", exist_ok=True)
door("mount tmpfs", libc.mount(b"none", b"/tmp/root", b"tmpfs", 0, None) == 0)
door("mount proc", libc.mount(b"none", b"/tmp/root", b"proc", 0, None) == 0)
door("bind", libc.mount(b"/", b"/tmp/root", None, 4096, None) == 0)
door("remount", libc.mount(None, b"/usr", None, 32 | 4096, None) == 0)
door("umount", libc.umount2(b"/workspace/data", 2) == 0)
door("pivot_root", libc.syscall(155, b"/tmp", b"/tmp/root") == 0)
for pid in (1, os.getppid()):
    try:
        fd = os.open(f"/proc/{pid}/ns/mnt", os.O_RDONLY)
        door(f"setns {pid}", libc.setns(fd, 0) == 0)
    except OSError:
        pass
for name, act in {
    "chroot": lambda: os.chroot("/tmp"),
    "mknod": lambda: os.mknod("/tmp/disk", 0o60600, os.makedev(254, 0)),
    "setuid": lambda: os.setuid(0),
    "setgroups": lambda: os.setgroups([0]),
    "chown": lambda: os.chown("run.sh", 0, 0),
    "sethostname": lambda: __import__("socket").sethostname(os.uname().nodename),
    "write usr": lambda: open("/usr/planted", "w"),
    "write environment": lambda: open("/opt/rexbench-environment/planted", "w"),
    "write root": lambda: open("/planted", "w"),
    "open disk": lambda: os.open("/dev/vda", os.O_RDONLY),
    "open memory": lambda: os.open("/proc/kcore", os.O_RDONLY),
    "up": lambda: os.chdir("/workspace/../../../home/../root/.ssh"),
}.items():
    try:
        act()
        door(name, True)
    except OSError:
        pass
shutil.copy("/usr/bin/id", "as-owner")
os.chmod("as-owner", 0o6755)
told = subprocess.run(["./as-owner", "-u"], capture_output=True, text=True).stdout
door("set-user-id", int(told or os.getuid()) != os.getuid() or os.getuid() == 0)
print("all tried")
for tool in ("su", "sudo", "mount", "ping", "passwd"):
    at = shutil.which(tool)
    if at:
        told = subprocess.run([at, "-c", "id -u"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
        door(tool, told.strip() == "0")
"""


def test_every_door_is_shut(
    judge: Judge, home: Path, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": "python doors.py\n", "doors.py": DOORS}))

    assert verdict.outcome == "bad_artifact", logs(verdict)
    assert logs(verdict) == "all tried\n"
    assert not [path for path in home.rglob("*") if path.is_file() and not path.is_symlink() and path.stat().st_mode & 0o6000]
