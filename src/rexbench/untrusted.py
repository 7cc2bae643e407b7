"""Files that somebody else wrote: read within bounds, or not taken, in one sentence.

Only plain files are opened, so that no reader waits on a pipe or wakes a device; below a folder from elsewhere no link is
followed, neither in the file's place nor on the way to it. JSON and TOML are strict and of bounded depth. A file that is not
there is `FileNotFoundError`; everything else that is wrong with one is `NotTaken`.
"""

import errno
import json
import math
import os
import re
import stat
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from rexbench.errors import RexbenchError

MAX_BYTES = 64 * 2**20
"""Of one file, unless a reader sets another bound."""
MAX_DEPTH = 100
"""Of lists and objects inside each other."""
MAX_TOML = 2**17
MAX_TOML_LINE = 2**12
"""Bytes; the time that a dotted key takes grows with the square of its length."""

THEIRS = (errno.EACCES, errno.EPERM, errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG)
"""What somebody who works in a tree can make the system say of it. Anything else is a fault of the machine."""
_MAX_ENTRIES = 2_000_000
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class NotTaken(RexbenchError):
    """A file from elsewhere that is not read on; the message names it and says why."""

    def __init__(self, name: object, defect: str) -> None:
        super().__init__(f"{name} {defect}.")
        self.defect = defect


def open_plain(path: Path, folder: int | None = None, follow: bool = False) -> BinaryIO:
    """A plain file; `follow` where it is the user who named it, and a link is the user's own. Relative to a descriptor if given."""
    try:
        mode = os.stat(path, dir_fd=folder, follow_symlinks=follow).st_mode
        if not stat.S_ISREG(mode):
            raise NotTaken(path, "is a link" if stat.S_ISLNK(mode) else "is not a plain file")
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
        file = os.fdopen(os.open(path, flags, dir_fd=folder), "rb")
    except FileNotFoundError:
        raise
    except OSError as error:
        raise NotTaken(path, f"cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise NotTaken(path, "is not a plain file")
    return file


def read_plain(path: Path, limit: int = MAX_BYTES, inside: Path | None = None, follow: bool = False) -> bytes:
    """The whole of a plain file; with `inside`, of one below that folder that is reached over no link."""
    if inside is None:
        with open_plain(path, follow=follow) as file:
            return _bounded(file, path, limit)
    with open_inside(inside, path) as file:
        return _bounded(file, inside / path, limit)


def open_inside(root: Path, path: PurePath) -> BinaryIO:
    """A plain file below `root` that is reached over no link."""
    try:
        with folder_inside(root, path.parent) as folder:
            return open_plain(Path(path.name), folder)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise NotTaken(root / path, f"cannot be reached: {error.strerror} (a link, or no folder)") from error
    except NotTaken as error:
        raise NotTaken(root / path, error.defect) from error


@contextmanager
def folder_inside(root: Path, path: PurePath) -> Iterator[int]:
    """The descriptor of the folder `path` below `root`, reached one step at a time; a link on the way is an `OSError`."""
    if path.is_absolute() or ".." in path.parts:
        raise NotTaken(path, f"leads out of {root}")
    at = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in path.parts:
            deeper = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at)
            os.close(at)
            at = deeper
        yield at
    finally:
        os.close(at)


def refuse_links(folder: Path, depth: int, but: str = "") -> None:
    """Refuse a folder from elsewhere that holds a link as far down as anything is written to it, or too much to look through.

    Into `but`, a folder below it, nobody writes by a name that is known beforehand; what is inside is not looked at.
    """
    waiting = [(folder, 1)]
    looked_at = 0
    while waiting:
        at, level = waiting.pop()
        try:
            listed = os.scandir(at)
        except OSError as error:
            raise NotTaken(at, f"cannot be entered: {error.strerror}") from error
        with listed:
            for item in listed:
                looked_at += 1
                if looked_at > _MAX_ENTRIES:
                    raise NotTaken(folder, f"holds more than {_MAX_ENTRIES} files and folders")
                if item.is_symlink():
                    raise NotTaken(item.path, "is a link; a folder from elsewhere may hold none")
                if level < depth and item.is_dir(follow_symlinks=False) and Path(item.path) != folder / (but or ".."):
                    waiting.append((Path(item.path), level + 1))


def parse_json(content: str | bytes, name: object) -> Any:
    """One JSON value in UTF-8: no NaN or infinity, no key twice, no half of a surrogate pair, at most `MAX_DEPTH` deep."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise NotTaken(name, "has a duplicate key in a JSON object")
        return found

    def refuse(constant: str) -> float:
        raise NotTaken(name, f"holds {constant}, which is not JSON")

    def finite(number: str) -> float:
        if not math.isfinite(float(number)):
            raise NotTaken(name, f"holds {number[:20]}, a number beyond every float")
        return float(number)

    try:
        text = content if isinstance(content, str) else content.decode()
        value = json.loads(text, object_pairs_hook=unique, parse_constant=refuse, parse_float=finite)
        _shallow(value, name)
        if _HALF.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise NotTaken(name, "holds half of a character") from error
    except (ValueError, RecursionError) as error:
        raise NotTaken(name, f"is not JSON ({error})") from error
    return value


def parse_toml(content: bytes, name: object) -> dict[str, Any]:
    """A TOML document of bounded length and depth."""
    if len(content) > MAX_TOML or max(map(len, content.split(b"\n"))) > MAX_TOML_LINE:
        raise NotTaken(name, f"is longer than {MAX_TOML} bytes, or has a line of more than {MAX_TOML_LINE}")
    try:
        found = tomllib.loads(content.decode())
    except (ValueError, RecursionError) as error:
        raise NotTaken(name, f"is not TOML: {error}") from error
    _shallow(found, name)
    return found


def _shallow(value: Any, name: object) -> None:
    """Refuse what is deeper than `MAX_DEPTH`; looked at level by level, since whatever recurses can be made to fail."""
    level = [value]
    for _ in range(MAX_DEPTH):
        parts = (outer.values() if isinstance(outer, dict) else outer for outer in level if isinstance(outer, dict | list))
        level = [inner for part in parts for inner in part if isinstance(inner, dict | list)]
    if level:
        raise NotTaken(name, f"is nested more than {MAX_DEPTH} deep")


def _bounded(file: BinaryIO, name: Path, limit: int) -> bytes:
    content = file.read(limit + 1)
    if len(content) > limit:
        raise NotTaken(name, f"is longer than {limit} bytes, the most that is taken")
    return content
