"""A patch taken from a tree that nobody trusts, in whatever state it was left.

The tree is read as plain files, links unfollowed, its `.git` and config never looked at. `LeftOut` says what is no part of the
work; everything else that changed is in the patch, including changes to protected paths, so that applying it can refuse them in
the open.

What no patch can carry (devices, pipes, files that may not be read, names that are not UTF-8) is passed over and named, and stays
as the codebase has it. Where there is more than the bounds in `workspace.patch` allow, the part that fits is taken, in an order
that the tree alone decides: changes to the codebase's own files by path, then new files, those of the emptiest folders first and
small ones before large ones, since what a flood of files buries is most likely the work.
"""

import os
import stat
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from rexbench.digest import walk_tree
from rexbench.errors import RexbenchError
from rexbench.places import Home
from rexbench.task.folder import Task
from rexbench.text import printable
from rexbench.untrusted import THEIRS, NotTaken, folder_inside, open_plain
from rexbench.workspace.difference import Entry, TooLong, difference
from rexbench.workspace.left_out import LeftOut
from rexbench.workspace.patch import MAX_CONTENT, MAX_DEPTH, MAX_ENTRIES, MAX_FILES, MAX_PATCH, MAX_PATH

_NAMED = 20
"""Names that are told of what was passed over; the rest is counted."""


@dataclass(frozen=True)
class Captured:
    """A patch and what could not go into it."""

    patch: bytes
    skipped: tuple[str, ...]
    """Paths that were passed over, each with the reason; at most a handful are named, the rest is counted."""
    too_much: str = ""
    """One sentence where the tree is beyond bounds, and the patch the part of it that fits."""


def capture_patch(task: Task, tree: Path, home: Home) -> Captured:
    """The difference between the task's codebase and `tree`, as a git patch that `apply_patch` takes."""
    if not tree.is_dir():
        raise RexbenchError(f"{tree} is not a folder.")
    own = {
        path: Entry({"file": b"100644", "executable": b"100755", "link": b"120000"}[kind], content)
        for path, kind, content in walk_tree(task.repo)
    }
    rules = LeftOut(task, own)
    taken = _Taken(tree)
    for path, entry in own.items():
        if not any(rules.never(part) for part in (path, *_parents(path))):
            taken.compare(path, entry)
    new = _new_files(tree, own, rules, taken)
    crowd = Counter(path.rpartition("/")[0] for path in new)
    for path in sorted(new, key=lambda path: (crowd[path.rpartition("/")[0]], new[path], path)):
        taken.compare(path, None)
    return taken.captured(home)


class _NoRoom(Exception):
    """A file that could be carried, were there not so much else."""


@dataclass
class _Taken:
    """What goes into a patch, as far as there is room for it."""

    tree: Path
    before: dict[bytes, Entry] = field(default_factory=dict)
    after: dict[bytes, Entry] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)
    too_much: list[str] = field(default_factory=list)
    unfit: list[str] = field(default_factory=list)
    room: int = MAX_CONTENT
    files: int = 0

    def compare(self, path: str, before: Entry | None) -> None:
        """Take a file that differs from what the codebase has at its path; None: nothing."""
        known = len(before.content) if before else 0
        try:
            if before is None and self.files >= MAX_FILES:
                raise _NoRoom
            after = _read_entry(self.tree, path, max(known, self.room - known))
            size = known + (len(after.content) if after else 0) + 16 * len(os.fsencode(path)) + 256
            if after == before:
                return
            if size > self.room or self.files >= MAX_FILES:
                raise _NoRoom
        except NotTaken as error:
            self.skipped.append(f"{printable(path, 120)}: {error.defect}")
            return
        except _NoRoom:
            self.unfit.append(path)
            return
        self.room -= size
        self.files += 1
        for side, entry in ((self.before, before), (self.after, after)):
            if entry:
                side[path.encode()] = entry

    def captured(self, home: Home) -> Captured:
        if self.unfit:
            told = ", ".join(printable(path, 60) for path in self.unfit[:3])
            self.too_much.append(
                f"a patch holds {MAX_FILES} files and {MAX_CONTENT // 2**20} MB, and {len(self.unfit)} more did not fit ({told})"
            )
        try:
            patch = difference(self.before, self.after, home)
            if len(patch) > MAX_PATCH:
                patch = difference(self.before, self.after, home, whole=True)
        except TooLong:
            patch = b""
            self.too_much.append("the changes take git too long to compare, and none was taken")
        skipped = sorted(self.skipped)
        if len(skipped) > _NAMED:
            skipped[_NAMED:] = [f"and {len(skipped) - _NAMED} more"]
        too_much = "; ".join(self.too_much)
        return Captured(patch, tuple(skipped), too_much)


def _read_entry(tree: Path, path: str, room: int) -> Entry | None:
    """What is at the path, None where there is nothing or a folder; raises `NotTaken` over what no patch can carry."""
    name = PurePosixPath(path).name
    try:
        with folder_inside(tree, PurePosixPath(path).parent) as folder:
            info = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if stat.S_ISDIR(info.st_mode):
                return None
            if stat.S_ISLNK(info.st_mode) and name.lower() != ".gitmodules":  # which git wants to be a file
                return Entry(b"120000", os.fsencode(os.readlink(name, dir_fd=folder)))
            if not stat.S_ISREG(info.st_mode):
                raise NotTaken(path, "neither a file nor a link")
            if info.st_size > MAX_CONTENT:
                raise NotTaken(path, f"larger than {MAX_CONTENT} bytes")
            if info.st_size > room:
                raise _NoRoom
            with open_plain(Path(name), folder) as file:
                return Entry(b"100755" if info.st_mode & 0o111 else b"100644", file.read(info.st_size))
    except PermissionError as error:
        raise NotTaken(path, "may not be read") from error
    except OSError as error:
        if error.errno not in THEIRS:
            raise
        return None  # gone, or by way of a link, which is new and found as such


def _new_files(tree: Path, own: dict[str, Entry], rules: LeftOut, taken: _Taken) -> dict[str, int]:
    """Sizes of the files and links that the codebase does not have; none of them where there are too many to look at."""
    inhabited = {folder for path in own for folder in _parents(path)}
    found: dict[str, int] = {}
    folders = [""]
    looked_at, told = 0, len(taken.skipped)
    while folders:
        folder = folders.pop()
        try:
            listed = os.scandir(tree / folder)
        except OSError as error:
            if error.errno not in THEIRS:
                raise
            taken.skipped.append(f"{printable(folder, 120) or 'the folder'}: may not be entered")
            continue
        with listed:
            for item in listed:
                looked_at += 1
                if looked_at > MAX_ENTRIES:
                    taken.too_much.append(f"there are more than {MAX_ENTRIES} files and folders, and no new file was taken")
                    del taken.skipped[told:]  # what was met so far is chance
                    return {}
                path = f"{folder}/{item.name}" if folder else item.name
                is_folder = item.is_dir(follow_symlinks=False)
                if (path in own and not is_folder) or (rules.new(path, is_folder) and (path not in inhabited or rules.never(path))):
                    continue
                defect = _defect(path)
                if defect:
                    taken.skipped.append(f"{printable(path, 120)}: {defect}")
                elif is_folder:
                    folders.append(path)
                else:
                    found[path] = _size(item)
    return found


def _size(item: "os.DirEntry[str]") -> int:
    try:
        return item.stat(follow_symlinks=False).st_size
    except OSError as error:
        if error.errno not in THEIRS:
            raise
        return 0  # what is wrong with it is told when it is read


def _defect(path: str) -> str:
    """Why no patch can carry anything at this path; empty where one can."""
    if path.count("/") >= MAX_DEPTH or len(os.fsencode(path)) > MAX_PATH:
        return "the path is too long or too deep"
    try:
        path.encode()
    except UnicodeEncodeError:
        return "the name is not UTF-8"
    return ""


def _parents(path: str) -> list[str]:
    return [str(folder) for folder in PurePosixPath(path).parents][:-1]
