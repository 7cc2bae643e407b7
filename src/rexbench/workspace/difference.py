"""The git patch between two sets of files, made in a throw-away bare repository of ours into which both are streamed."""

from dataclasses import dataclass
from pathlib import Path

from rexbench.errors import SystemFault
from rexbench.places import Home
from rexbench.workspace.git import OUT_OF_BOUNDS, run_git

_COMPARED = 256 * 1024
"""Files up to this length are compared line by line; an edit of a longer one is carried as a whole, since lines can be made that
take git minutes to compare."""
_GIT_SECONDS = 60


class TooLong(Exception):
    """Git ran out of time over a comparison."""


@dataclass(frozen=True)
class Entry:
    """A file or link in a tree."""

    mode: bytes
    """100644, 100755 or 120000, as git writes it."""
    content: bytes


def difference(before: dict[bytes, Entry], after: dict[bytes, Entry], home: Home, whole: bool = False) -> bytes:
    """The git patch that turns one set of files into the other; empty where they are the same. `whole`: no file line by line."""
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    by_line = [
        path for path in changed if not whole and (path not in before or path not in after or _is_short(before[path], after[path]))
    ]
    rest = sorted(set(changed) - set(by_line))
    return _difference(before, after, by_line, home, whole=False) + _difference(before, after, rest, home, whole=True)


def _is_short(*sides: Entry) -> bool:
    return all(len(entry.content) <= _COMPARED for entry in sides)


def _difference(before: dict[bytes, Entry], after: dict[bytes, Entry], paths: list[bytes], home: Home, whole: bool) -> bytes:
    if not paths:
        return b""
    sides = (("a", before), ("b", after))
    stream = b"".join(_commit(name, {path: side[path] for path in paths if path in side}) for name, side in sides)
    with home.scratch("difference") as folder:
        store = folder / "store.git"
        _checked("init", "--quiet", "--bare", "--template=", str(store), cwd=folder)
        (store / "info").mkdir(parents=True, exist_ok=True)
        (store / "info" / "attributes").write_text("* -diff\n" if whole else "")
        # Names that mean something to other systems are no danger here; what a patch may name is looked at when it is applied.
        _checked(
            "-c",
            "core.protectNTFS=false",
            "-c",
            "core.protectHFS=false",
            "fast-import",
            "--quiet",
            cwd=folder,
            stdin=stream,
            git_dir=store,
        )
        return _checked(
            "diff", "--binary", "--full-index", "--no-renames", "--no-color", "--no-ext-diff", "a", "b", cwd=folder, git_dir=store
        )


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
    done = run_git(*arguments, cwd=cwd, stdin=stdin, git_dir=git_dir, cpu_seconds=_GIT_SECONDS)
    if done.returncode in OUT_OF_BOUNDS:
        raise TooLong
    if done.returncode:
        raise SystemFault(f"git failed to compare two trees: {done.stderr.decode(errors='replace').strip()[-500:]}")
    return done.stdout
