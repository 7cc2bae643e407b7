"""What a tree takes on disk, counted while the code under test may change it, and without being led out of it."""

import math
import os
import stat
import subprocess
from contextlib import suppress
from pathlib import Path

_DEEP = 200
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def size_on_disk(tree: Path, enough: float = math.inf) -> int:
    """Bytes that the tree takes on disk; counting stops beyond `enough`. The tree may change underfoot.

    Folders are opened one from another, so that no path is too long. What is nested deeper than descriptors reach is left to `du`.
    """
    total = 0
    waiting = [(os.open(tree, _FOLDER), 0)]
    try:
        while waiting and total <= enough:
            folder, depth = waiting.pop()
            try:
                names = os.listdir(folder)
                for name in names:
                    with suppress(OSError):
                        info = os.stat(name, dir_fd=folder, follow_symlinks=False)
                        total += max(info.st_blocks * 512, 512)
                        if stat.S_ISDIR(info.st_mode):
                            if depth >= _DEEP or len(waiting) >= _DEEP:
                                return _told_by_du(tree)
                            waiting.append((_open_folder(name, folder), depth + 1))
            except OSError:
                continue
            finally:
                os.close(folder)
    finally:
        for folder, _ in waiting:
            os.close(folder)
    return total


def free_disk(tree: Path) -> int:
    """Bytes that are free on the disk that the tree is on."""
    disk = os.statvfs(tree)
    return disk.f_bavail * disk.f_frsize


def give_tree(tree: Path, user: int) -> None:
    """Make everything in the tree belong to this host user; root's to do."""
    for folder, folders, files in os.walk(tree):
        for name in (*folders, *files):
            os.lchown(os.path.join(folder, name), user, user)
    os.lchown(tree, user, user)


def _open_folder(name: str, parent: int) -> int:
    """A folder of the tree, made readable if the code that made it took that away: it is ours, and must be counted.

    Its mode is set through a descriptor: by its name, a link that is swapped in meanwhile would lead us to any file of the host.
    """
    try:
        return os.open(name, _FOLDER, dir_fd=parent)
    except PermissionError:
        held = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
        try:
            os.chmod(f"/proc/self/fd/{held}", 0o700)
            return os.open(f"/proc/self/fd/{held}/.", _FOLDER)
        finally:
            os.close(held)


def _told_by_du(tree: Path) -> int:
    told = subprocess.run(
        ["du", "--summarize", "--block-size=1", "--one-file-system", tree], capture_output=True, text=True, check=False
    )
    return int(told.stdout.split()[0]) if told.stdout else 0
