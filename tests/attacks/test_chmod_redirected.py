"""The supervisor opens a locked folder to count it, and a link to a file of the host is swapped in before its chmod."""

import ctypes
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from rexbench.sandbox.disk import size_on_disk
from tests.ordinary_user import as_nobody, folder_of_nobody

_EXCHANGE = 2
SECONDS = 20.0


def by_name(tree: Path) -> None:
    """As a careless supervisor would open it."""
    folder = os.open(tree, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.close(os.open("locked", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder))
    except PermissionError:
        os.chmod("locked", 0o700, dir_fd=folder)
    except OSError:
        pass
    finally:
        os.close(folder)


def redirected(tree: Path, look: Callable[[Path], object], tries: int) -> int:
    """After how many looks a file outside of the tree has another mode, while a link to it is swapped in and out; 0: never."""
    outside, inside = tree / "outside", tree / "inside"
    inside.mkdir()
    outside.write_text("of the host")
    outside.chmod(0o644)
    (inside / "locked").mkdir(mode=0)
    (inside / "link").symlink_to(outside)
    locked = os.open(inside / "locked", os.O_PATH)
    swapper = os.fork()
    if swapper == 0:
        signal.alarm(60)
        rename, one, other = ctypes.CDLL(None).renameat2, bytes(inside / "locked"), bytes(inside / "link")
        while True:
            rename(-100, one, -100, other, _EXCHANGE)
    try:
        until = time.monotonic() + SECONDS
        for at in range(1, tries + 1):
            look(inside)
            if outside.stat().st_mode & 0o777 != 0o644:
                return at
            os.chmod(f"/proc/self/fd/{locked}", 0)
            if time.monotonic() > until:
                break
        return 0
    finally:
        os.kill(swapper, signal.SIGKILL)
        os.waitpid(swapper, 0)


def test_no_link_leads_the_supervisor_to_a_file_of_the_host() -> None:
    with folder_of_nobody() as tree:
        assert as_nobody(lambda: redirected(tree, size_on_disk, 20_000)) == 0


def test_by_its_name_another_file_is_reached() -> None:
    with folder_of_nobody() as tree:
        assert as_nobody(lambda: redirected(tree, by_name, 1_000_000)) > 0


def test_a_folder_that_was_locked_is_counted_all_the_same() -> None:
    def hidden(tree: Path) -> int:
        (tree / "locked").mkdir()
        (tree / "locked" / "file").write_bytes(b"x" * 2**20)
        (tree / "locked").chmod(0)
        return size_on_disk(tree)

    with folder_of_nobody() as tree:
        assert as_nobody(lambda: hidden(tree)) >= 2**20
