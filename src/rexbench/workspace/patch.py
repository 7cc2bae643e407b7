"""A patch from anywhere: what it touches, whether it may, and putting it onto a clean tree.

Everything is checked before a byte is written: sizes, paths, links, protected files. Then `git apply` runs on a tree that only
we have written, and the protected files are compared with the task's once more.
"""

import os
import re
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

from rexbench.digest import digest_bytes, digest_tree, walk_tree
from rexbench.errors import PatchRejected, SystemFault
from rexbench.places import Home
from rexbench.task.folder import Task
from rexbench.workspace.git import CPU_SECONDS, OUT_OF_BOUNDS, run_git
from rexbench.workspace.tree import copy_repo

MAX_PATCH = 16 * 1024 * 1024
MAX_UNPACKED = 32 * 1024 * 1024
"""What the binary files in a patch may come to."""
MAX_FILES = 2_000
"""Files that a patch may create, edit or delete."""
MAX_PATH = 1024
MAX_DEPTH = 64
MAX_CONTENT = 12 * 1024 * 1024
"""What the files that differ may hold, before and after, to be captured: whatever it is, a patch of it is within `MAX_PATCH`."""
MAX_ENTRIES = 250_000
"""Files and folders that are looked at to find what is new."""


@dataclass(frozen=True)
class PatchSummary:
    """What a patch would do."""

    files: tuple[str, ...]
    """Paths it creates, edits or deletes, sorted; both names of a rename."""
    lines_added: int
    lines_removed: int

    @property
    def lines_changed(self) -> int:
        return self.lines_added + self.lines_removed


EMPTY = PatchSummary((), 0, 0)


def is_empty(patch: bytes) -> bool:
    """Whether there is nothing in it at all."""
    return not patch.strip()


def patch_digest(patch: bytes) -> str:
    """The identity of a patch: its bytes, since git tells apart even patches that differ in blank space."""
    return digest_bytes(_ended(patch))


def summarise(patch: bytes, cwd: Path) -> PatchSummary:
    """Read a patch without applying it; raises `PatchRejected` where git cannot make sense of it."""
    if is_empty(patch):
        return EMPTY
    if len(patch) > MAX_PATCH:
        raise PatchRejected(f"the patch is {len(patch)} bytes long; at most {MAX_PATCH} are taken")
    if re.search(rb"^copy (?:from|to) ", patch, re.MULTILINE):
        raise PatchRejected("the patch copies files by name; let it hold what it adds")
    if _unpacked(patch) > MAX_UNPACKED:
        raise PatchRejected(f"the patch unpacks to {_unpacked(patch)} bytes; at most {MAX_UNPACKED} are taken")
    done = run_git("apply", "--numstat", "-z", cwd=cwd, stdin=_ended(patch))
    if done.returncode:
        raise PatchRejected(f"the patch cannot be read: {_message(done)}")
    files: set[str] = set()
    added = removed = 0
    for row in done.stdout.split(b"\0"):
        fields = row.split(b"\t", 2)
        if len(fields) == 3:
            added += int(fields[0]) if fields[0].isdigit() else 0
            removed += int(fields[1]) if fields[1].isdigit() else 0
        if fields[-1]:
            files.add(_text(fields[-1]))
    return PatchSummary(tuple(sorted(files)), added, removed)


def apply_patch(task: Task, patch: bytes, tree: Path) -> PatchSummary:
    """Put the patch onto `tree`, a clean copy of the task's codebase; raises `PatchRejected` and says which file and hunk.

    The summary's files are those that really differ afterwards: what a patch says of itself (a rename that it never makes) does
    not count. What the task ignores, such as what trial runs wrote, is no part of the patch.
    """
    patch = _without_ignored(task, patch)
    announced = summarise(patch, tree)
    if not announced.files:
        raise PatchRejected("the patch names no file")
    if len(announced.files) > MAX_FILES:
        raise PatchRejected(f"the patch touches {len(announced.files)} files; at most {MAX_FILES} are taken")
    _refuse_weight(task, patch)
    _refuse_paths(announced.files + tuple(_renamed(patch)), task)
    done = run_git("apply", "--whitespace=nowarn", cwd=tree, stdin=_ended(patch))
    if done.returncode:
        _check_room(tree.parent)
        raise PatchRejected(f"the patch does not apply: {_message(done)}")
    _check_protected(task, tree)
    changed = _changed(task, tree)
    _refuse_paths(changed, task)
    _refuse_links(tree, changed)
    return PatchSummary(changed, announced.lines_added, announced.lines_removed)


def apply_to_workspace(task: Task, patch: bytes, workspace: Path, home: Home) -> None:
    """Put the patch into a fresh workspace, uncommitted; the checks are made on a plain copy, which holds no files of git's."""
    with home.scratch("patch") as draft:
        copy_repo(task, draft / "tree", with_data=True)
        apply_patch(task, patch, draft / "tree")
    done = run_git("apply", "--whitespace=nowarn", cwd=workspace.absolute(), stdin=_ended(patch))
    if done.returncode:
        raise SystemFault(f"The patch applies to a copy and not to {workspace}: {_message(done)}.")


def _check_room(folder: Path) -> None:
    """A disk that takes nothing more is a fault of ours, and what git says over one looks like a patch that does not fit."""
    probe = folder / f".room-{os.getpid()}"
    try:
        with probe.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, MAX_PATCH + MAX_UNPACKED)
    except OSError as error:
        raise SystemFault(f"{folder} cannot be written to: {error.strerror}.") from error
    finally:
        probe.unlink(missing_ok=True)


def _changed(task: Task, tree: Path) -> tuple[str, ...]:
    """Paths that differ between the task's codebase and the patched tree; protected ones have been compared already."""

    def free(path: str) -> bool:
        return not path.startswith("data/") and not task.is_guarded(path)

    before = {path: (kind, content) for path, kind, content in walk_tree(task.repo, free)}
    after = {path: (kind, content) for path, kind, content in walk_tree(tree, free)}
    return tuple(sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path)))


def _refuse_paths(paths: tuple[str, ...], task: Task) -> None:
    for path in paths:
        parts = path.split("/")
        if path.startswith("/") or ".." in parts or "" in parts or any(part.lower() == ".git" for part in parts):
            raise PatchRejected(f"{path!r} leads out of the tree")
        if len(os.fsencode(path)) > MAX_PATH or len(parts) > MAX_DEPTH:
            raise PatchRejected(f"the path {path[:60]!r}... is longer than {MAX_PATH} bytes or deeper than {MAX_DEPTH} folders")
        if "__pycache__" in parts or path.endswith(".pyc"):
            raise PatchRejected(f"{path} is compiled code, which Python would prefer to the source that it stands for")
        guard = task.guard_of(path)
        if guard:
            raise PatchRejected(f"{path} is protected ({guard})")
        twin = task.twin_of(path)
        if twin:
            raise PatchRejected(f"{path} would be loaded in place of {twin}; what is protected cannot be replaced")


def _refuse_links(tree: Path, paths: tuple[str, ...]) -> None:
    """A link may lead to another place in the tree, by whatever way, and never out of it."""
    root = os.path.realpath(tree)
    for path in paths:
        at = tree / path
        if at.is_symlink() and (os.path.isabs(os.readlink(at)) or not Path(os.path.realpath(at)).is_relative_to(root)):
            raise PatchRejected(f"{path} is a link that leads out of the tree")


def _without_ignored(task: Task, patch: bytes) -> bytes:
    """The patch without its sections on ignored paths; one whose lines name different files stays and is judged as it is."""
    ignored = tuple(path.encode() for path in task.spec.ignored)
    parts = re.split(rb"^(?=diff --git )", patch, flags=re.MULTILINE)

    def stays(part: bytes) -> bool:
        header = re.match(rb"diff --git a/(\S+) b/(\S+)\r?\n", part)
        names = re.findall(rb"^(?:--- a/|\+\+\+ b/|rename from |rename to )(.+?)\r?$", part.split(b"\n@@ ")[0], re.MULTILINE)
        return header is None or not ignored or {*header.groups(), *names} != {header[1]} or not _lies_in(header[1], ignored)

    return b"".join(part for part in parts if stays(part))


def _lies_in(path: bytes, listed: tuple[bytes, ...]) -> bool:
    return any(path == one or (one.endswith(b"/") and path.startswith(one)) for one in listed)


def _refuse_weight(task: Task, patch: bytes) -> None:
    """Where nothing may ship that was made beforehand, what a patch adds is bounded; code is small."""
    added = sum(map(len, re.findall(rb"^\+.*$", patch, re.MULTILINE))) + _unpacked(patch)
    if task.spec.added_kb and added > task.spec.added_kb * 1024:
        raise PatchRejected(
            f"the patch adds {added // 1024} KB; {task.id} takes {task.spec.added_kb} at most, as nothing made beforehand may ship"
        )


def _unpacked(patch: bytes) -> int:
    """Bytes of the binary files in it."""
    return sum(int(size) for size in re.findall(rb"^(?:literal|delta) (\d{1,18})\r?$", patch, re.MULTILINE))


def _check_protected(task: Task, tree: Path) -> None:
    """Protected files are byte for byte the task's; holds by construction, checked because everything rests on it."""

    if digest_tree(tree, task.is_guarded) != task.guarded_digest:
        raise PatchRejected("a protected file is not as the task has it")
    data = tree / "data"
    if data.exists() and (not stat.S_ISDIR(data.lstat().st_mode)):
        raise PatchRejected("data/ is not a folder any more")


def _renamed(patch: bytes) -> list[str]:
    """Old names of renames, which git's summary leaves out; however they are spelt, the trees are compared afterwards."""
    return [_text(name).strip('"') for name in re.findall(rb"^rename (?:from|old) (.+?)\r?$", patch, re.MULTILINE)]


def _text(name: bytes) -> str:
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError as error:
        raise PatchRejected(f"the file name {name!r} is not UTF-8") from error


def _ended(patch: bytes) -> bytes:
    return patch if patch.endswith(b"\n") else patch + b"\n"


def _message(done: subprocess.CompletedProcess[bytes]) -> str:
    """Git's complaint in one line: `patch failed: FILE:LINE` says which hunk of which file."""
    if done.returncode in OUT_OF_BOUNDS:
        return f"git used up its {CPU_SECONDS} s of processor time, or its room on the disk, over it"
    lines = [line.removeprefix("error: ") for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
    return "; ".join(lines[:3])[:600] or "no reason given by git"
