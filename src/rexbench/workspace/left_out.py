"""What in a workspace is no part of the work: tools' own files, what a run leaves behind, what the codebase itself ignores.

A workspace in which the experiment had been run gives the same patch as one in which it had not. Rules come from the task
alone; a `.gitignore` that was edited or added in the workspace hides nothing.
"""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase, translate
from pathlib import PurePosixPath

from rexbench.task.folder import Task
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
"""Caches, tools' own files and version control: never part of a patch, at any depth, in whatever case."""
_NAMES = re.compile("|".join(translate(pattern.lower()) for pattern in LEFT_OUT))


class LeftOut:
    """The rules of one task."""

    def __init__(self, task: Task, own: Iterable[str]) -> None:
        from pathspec import GitIgnoreSpec

        own = list(own)
        self._artefacts = [artefact.path for artefact in task.spec.artefacts]
        outputs = {f"/{PurePosixPath(path).parent}/" for path in self._artefacts if "/" in path}
        # A folder that the codebase has files in is no output folder, whatever else is written there.
        outputs = {line for line in outputs if not any(GitIgnoreSpec.from_lines([line]).match_files(own))}
        self._specs = [("", GitIgnoreSpec.from_lines([*(f"/{path}" for path in task.spec.ignored), *sorted(outputs)]))]
        for path in sorted(own):
            if PurePosixPath(path).name == ".gitignore":
                lines = (task.repo / path).read_text(encoding="utf-8").splitlines()
                self._specs.append((path.removesuffix(".gitignore"), GitIgnoreSpec.from_lines(lines)))

    def never(self, path: str) -> bool:
        """Whether nothing at this path travels, be it the codebase's own."""
        if path == INSTRUCTIONS or _NAMES.match(path.rpartition("/")[2].lower()):
            return True
        return any(matches(path, artefact) for artefact in self._artefacts)

    def new(self, path: str, is_folder: bool) -> bool:
        """Whether something at this path that the codebase does not have stays behind."""
        if self.never(path):
            return True
        for folder, spec in reversed(self._specs):  # the deepest .gitignore that says something decides
            if path.startswith(folder):
                told = spec.check_file(path.removeprefix(folder) + "/" * is_folder).include
                if told is not None:
                    return told
        return False


def matches(path: str, pattern: str) -> bool:
    """Whether a path matches a declared artefact; `*` stays inside one segment."""
    parts, wanted = path.split("/"), pattern.split("/")
    return len(parts) == len(wanted) and all(fnmatchcase(part, want) for part, want in zip(parts, wanted, strict=True))
