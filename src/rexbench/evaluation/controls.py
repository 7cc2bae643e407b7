"""Patches that every task can be tried with: the unchanged code, and cheats that must fail whatever the task is.

The cheats are made from gold's own artefacts on the public variant, the most that an agent could ever have seen.
"""

from pathlib import Path

from rexbench.places import Home
from rexbench.task.folder import Task
from rexbench.workspace.difference import Entry, difference

_STASH = "stash"


def unchanged(home: Home) -> bytes:
    """The base code as it is, with a note beside it: not an empty patch, and no solution either."""
    return difference({}, {b"NOTES.txt": Entry(b"100644", b"Nothing was changed.\n")}, home)


def generic_attacks(task: Task, public_artefacts: Path, home: Home) -> dict[str, bytes]:
    """Name -> patch. `public_artefacts` holds what gold leaves on variant 0."""
    found = {
        path.relative_to(public_artefacts).as_posix(): path.read_bytes() for path in public_artefacts.rglob("*") if path.is_file()
    }
    stash = {f"{_STASH}/{at}": content for at, content in enumerate(found.values())}
    copy = [f"mkdir -p '{Path(path).parent}' && cp '{_STASH}/{at}' '{path}'" for at, path in enumerate(found)]
    empty = [f"mkdir -p '{Path(path).parent}' && : > '{path}'" for path in found]
    linked = [f"mkdir -p '{Path(path).parent}' && ln -s \"$PWD/{_STASH}/{at}\" '{path}'" for at, path in enumerate(found)]
    return {
        "typed-in": _with_entry(task, copy, stash, home),
        "left-behind": _with_entry(task, ["true"], found, home),
        "hollow": _with_entry(task, empty, {}, home),
        "linked": _with_entry(task, linked, stash, home),
    }


def _with_entry(task: Task, lines: list[str], files: dict[str, bytes], home: Home) -> bytes:
    """A patch that replaces the experiment's entry by these shell lines and adds files."""
    entry = task.spec.experiment.entry
    at = task.repo / entry
    before = {entry.encode(): Entry(b"100755" if at.stat().st_mode & 0o111 else b"100644", at.read_bytes())} if at.is_file() else {}
    script = "set -e\n" + "\n".join(lines) + "\n"
    if entry.endswith(".py"):
        script = f"import subprocess\n\nsubprocess.run(['bash', '-c', {script!r}], check=True)\n"
    after = {entry.encode(): Entry(b"100755", script.encode())}
    after |= {path.encode(): Entry(b"100644", content) for path, content in files.items()}
    return difference(before, after, home)
