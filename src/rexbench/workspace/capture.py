"""A patch taken from a tree that nobody trusts.

The tree is read as plain files, links unfollowed, its `.git` and config never looked at. Both sides are streamed into a
throw-away bare repository of ours, and the patch is the difference of the two trees. Left out, by this rule and no other: the
names in `LEFT_OUT` at any depth, the instructions, and files that match a declared artefact. Everything else that changed is
in the patch, including changes to protected paths, so that applying it can refuse them in the open.
"""

import os
import stat
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from rexbench.errors import RexbenchError, SystemFault
from rexbench.places import Home
from rexbench.task.folder import Task
from rexbench.workspace.git import run_git
from rexbench.workspace.patch import MAX_DEPTH, MAX_PATH
from rexbench.workspace.tree import INSTRUCTIONS

LEFT_OUT = (
    ".git",
    ".hg",
    ".venv",
    "venv",
    "node_modules",
    "__pycache__",
    "*.pyc",
    "*.egg-info",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".ipynb_checkpoints",
    ".cache",
    ".aider*",
    ".claude",
    ".openhands",
    ".DS_Store",
)
"""Caches, tools' own files and version control: never part of a patch, at any depth."""

MAX_FILE = 32 * 1024 * 1024
MAX_TREE = 256 * 1024 * 1024
MAX_FILES = 20_000


@dataclass(frozen=True)
class Captured:
    """A patch and what could not go into it."""

    patch: bytes
    skipped: tuple[str, ...]
    """Paths that were passed over, each with the reason: devices, sockets, over-size files."""


@dataclass(frozen=True)
class Entry:
    """A file or link in a tree."""

    mode: bytes
    """100644, 100755 or 120000, as git writes it."""
    content: bytes


def capture_patch(task: Task, tree: Path, home: Home) -> Captured:
    """The difference between the task's codebase and `tree`, as a git patch that `apply_patch` takes."""
    if not tree.is_dir():
        raise RexbenchError(f"{tree} is not a folder.")
    skipped: list[str] = []
    before = _read_tree(task.repo, task, [])
    after = _read_tree(tree, task, skipped)
    return Captured(difference(before, after, home), tuple(skipped))


def difference(before: dict[bytes, Entry], after: dict[bytes, Entry], home: Home) -> bytes:
    """The git patch that turns one set of files into the other; empty where they are the same."""
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    if not changed:
        return b""
    sides = (("a", before), ("b", after))
    stream = b"".join(_commit(name, {path: side[path] for path in changed if path in side}) for name, side in sides)
    with home.scratch("difference") as folder:
        store = folder / "store.git"
        _checked("init", "--quiet", "--bare", "--template=", str(store), cwd=folder)
        _checked("fast-import", "--quiet", cwd=folder, stdin=stream, git_dir=store)
        return _checked(
            "diff", "--binary", "--full-index", "--no-renames", "--no-color", "--no-ext-diff", "a", "b", cwd=folder, git_dir=store
        )


def _read_tree(root: Path, task: Task, skipped: list[str]) -> dict[bytes, Entry]:
    """Files and links below `root` by path, opened without following anything."""
    found: dict[bytes, Entry] = {}
    total = 0
    folders = [b""]
    while folders:
        folder = folders.pop()
        for item in sorted(os.scandir(os.path.join(os.fsencode(root), folder)), key=lambda item: item.name):
            path = folder + b"/" + item.name if folder else item.name
            shown = os.fsdecode(path)
            if _is_left_out(shown, task):
                continue
            info = item.stat(follow_symlinks=False)
            mode = info.st_mode
            if len(path) > MAX_PATH or path.count(b"/") >= MAX_DEPTH:
                skipped.append(f"{shown[:60]}...: the path is too long or too deep")
            elif stat.S_ISDIR(mode):
                folders.append(path)
            elif stat.S_ISLNK(mode):
                found[path] = Entry(b"120000", os.readlink(item.path))
            elif not stat.S_ISREG(mode):
                skipped.append(f"{shown}: neither a file nor a link")
            elif info.st_size > MAX_FILE:
                skipped.append(f"{shown}: larger than {MAX_FILE} bytes")
            else:
                content = _read_file(item.path)
                total += len(content)
                if total > MAX_TREE or len(found) >= MAX_FILES:
                    raise RexbenchError(
                        f"{root} holds more than {MAX_TREE} bytes or {MAX_FILES} files; remove what is not part of the work."
                    )
                found[path] = Entry(b"100755" if mode & 0o111 else b"100644", content)
    return found


def _read_file(path: bytes) -> bytes:
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        return file.read(MAX_FILE + 1)


def _is_left_out(path: str, task: Task) -> bool:
    name = path.rpartition("/")[2]
    if path == INSTRUCTIONS or any(fnmatchcase(name, pattern) for pattern in LEFT_OUT):
        return True
    return any(matches(path, artefact.path) for artefact in task.spec.artefacts)


def matches(path: str, pattern: str) -> bool:
    """Whether a path matches a declared artefact; `*` stays inside one segment."""
    parts, wanted = path.split("/"), pattern.split("/")
    return len(parts) == len(wanted) and all(fnmatchcase(part, want) for part, want in zip(parts, wanted, strict=True))


def _commit(branch: str, entries: dict[bytes, Entry]) -> bytes:
    """One parentless commit in git's fast-import language, every file inline."""
    lines = [f"commit refs/heads/{branch}\ncommitter rexbench <rexbench@localhost> 946684800 +0000\ndata 0\n".encode()]
    for path, entry in entries.items():
        lines.append(b"M %s inline %s\ndata %d\n%s\n" % (entry.mode, _quoted(path), len(entry.content), entry.content))
    return b"".join(lines) + b"\n"


def _quoted(path: bytes) -> bytes:
    escaped = path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + escaped + b'"'


def _checked(*arguments: str, cwd: Path, stdin: bytes = b"", git_dir: Path | None = None) -> bytes:
    done = run_git(*arguments, cwd=cwd, stdin=stdin, git_dir=git_dir)
    if done.returncode:
        raise SystemFault(f"git {arguments[0]} failed: {done.stderr.decode(errors='replace').strip()[-500:]}")
    return done.stdout
