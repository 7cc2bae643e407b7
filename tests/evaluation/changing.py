"""Patches from the files that a tree shall have, for whichever task."""

import os

from rexbench.task.folder import Task
from rexbench.workbench import Workbench
from rexbench.workspace.difference import Entry, difference


def patch_for(task: Task, bench: Workbench, files: dict[str, str | bytes]) -> bytes:
    """What turns the task's codebase into one with these files."""
    before, after = {}, {}
    for name, content in files.items():
        path = task.repo / name
        mode = b"100755" if name.endswith(".sh") else b"100644"
        if path.is_file():
            before[os.fsencode(name)] = Entry(b"100755" if path.stat().st_mode & 0o111 else b"100644", path.read_bytes())
        after[os.fsencode(name)] = Entry(mode, content.encode() if isinstance(content, str) else content)
    return difference(before, after, bench.home)
