"""A patch from anywhere: what it touches, whether it may, and putting it onto a clean tree.

Everything is checked before a byte is written: sizes, paths, links, protected files. Then `git apply` runs on a tree that only
we have written, and the protected files are compared with the task's once more.
"""

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rexbench.digest import digest_bytes, digest_tree
from rexbench.errors import PatchRejected
from rexbench.task.folder import Task
from rexbench.workspace.git import run_git

MAX_PATCH = 16 * 1024 * 1024
MAX_ADDED_FILES = 2_000


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
    """The identity of a patch; blank space around it does not count."""
    return digest_bytes(patch.strip() + b"\n" if not is_empty(patch) else b"")


def summarise(patch: bytes, cwd: Path) -> PatchSummary:
    """Read a patch without applying it; raises `PatchRejected` where git cannot make sense of it."""
    if is_empty(patch):
        return EMPTY
    if len(patch) > MAX_PATCH:
        raise PatchRejected(f"the patch is {len(patch)} bytes long; at most {MAX_PATCH} are taken")
    done = run_git("apply", "--numstat", "-z", cwd=cwd, stdin=_ended(patch))
    if done.returncode:
        raise PatchRejected(f"the patch cannot be read: {_message(done.stderr)}")
    files: set[str] = set(_renamed(patch))
    added = removed = 0
    for row in done.stdout.split(b"\0"):
        if not row:
            continue
        fields = row.split(b"\t", 2)
        if len(fields) == 3:
            added += int(fields[0]) if fields[0].isdigit() else 0
            removed += int(fields[1]) if fields[1].isdigit() else 0
        name = fields[-1]
        if name:
            files.add(os.fsdecode(name))
    return PatchSummary(tuple(sorted(files)), added, removed)


def apply_patch(task: Task, patch: bytes, tree: Path) -> PatchSummary:
    """Put the patch onto `tree`, a clean copy of the task's codebase; raises `PatchRejected` and says which file and hunk."""
    summary = summarise(patch, tree)
    if not summary.files:
        raise PatchRejected("the patch names no file")
    _refuse_paths(summary, task)
    if len(summary.files) > MAX_ADDED_FILES:
        raise PatchRejected(f"the patch touches {len(summary.files)} files; at most {MAX_ADDED_FILES} are taken")
    done = run_git("apply", "--whitespace=nowarn", cwd=tree, stdin=_ended(patch))
    if done.returncode:
        raise PatchRejected(f"the patch does not apply: {_message(done.stderr)}")
    _refuse_links(tree, summary)
    _check_protected(task, tree)
    return summary


def _refuse_paths(summary: PatchSummary, task: Task) -> None:
    for path in summary.files:
        parts = PurePosixPath(path).parts
        if path.startswith("/") or ".." in parts or "" in path.split("/") or any(part.lower() == ".git" for part in parts):
            raise PatchRejected(f"{path!r} leads out of the tree")
        guard = task.guard_of(path)
        if guard:
            raise PatchRejected(f"{path} is protected ({guard})")


def _refuse_links(tree: Path, summary: PatchSummary) -> None:
    """A link may point to another file of the tree, never out of it, at data, or through another link."""
    for path in summary.files:
        at = tree / path
        if not at.is_symlink():
            continue
        target = os.readlink(at)
        resolved = os.path.normpath(os.path.join(os.path.dirname(path), target))
        if os.path.isabs(target) or resolved.startswith("..") or _crosses_link(tree, resolved):
            raise PatchRejected(f"{path} is a link that leads out of the tree")


def _crosses_link(tree: Path, path: str) -> bool:
    at = tree
    for part in PurePosixPath(path).parts:
        at = at / part
        if at.is_symlink():
            return True
    return False


def _check_protected(task: Task, tree: Path) -> None:
    """Protected files are byte for byte the task's; holds by construction, checked because everything rests on it."""

    if digest_tree(tree, task.is_guarded) != task.guarded_digest:
        raise PatchRejected("a protected file is not as the task has it")
    data = tree / "data"
    if data.exists() and (not stat.S_ISDIR(data.lstat().st_mode)):
        raise PatchRejected("data/ is not a folder any more")


def _renamed(patch: bytes) -> list[str]:
    """Old names of renames and copies, which git's summary leaves out."""
    return [os.fsdecode(name).strip('"') for name in re.findall(rb"^(?:rename|copy) from (.+?)\r?$", patch, re.MULTILINE)]


def _ended(patch: bytes) -> bytes:
    return patch if patch.endswith(b"\n") else patch + b"\n"


def _message(stderr: bytes) -> str:
    """Git's complaint in one line: `error: patch failed: FILE:LINE` says which hunk of which file."""
    lines = [line.removeprefix("error: ") for line in stderr.decode(errors="replace").splitlines() if line.strip()]
    return "; ".join(lines[:3])[:600] or "no reason given by git"
