"""Trees made from a task: the plain copy that an evaluation runs in, and the one-commit repository that an agent works in."""

import os
import shutil
from pathlib import Path

from rexbench.errors import RexbenchError, SystemFault
from rexbench.task.folder import HintLevel, Task
from rexbench.workspace.git import run_git

INSTRUCTIONS = "instructions.md"
"""Where an agent finds its instructions; never part of a patch."""


def copy_repo(task: Task, target: Path, with_data: bool) -> None:
    """A writable copy of the task's codebase; without its data where a variant's will stand in their place."""

    def leave_out(folder: str, names: list[str]) -> set[str]:
        data = {"data"} if not with_data and Path(folder) == task.repo else set()
        return {name for name in names if name == "__pycache__" or name in data}

    # Contents and the executable bit matter, times and owners do not; a suite installed read-only must give a writable copy.
    shutil.copytree(task.repo, target, symlinks=True, ignore=leave_out, copy_function=_copy_writable)
    for folder, folders, _ in os.walk(target):
        for name in folders:
            Path(folder, name).chmod(0o755)
    target.chmod(0o755)
    if not with_data:
        (target / "data").mkdir()


def make_workspace(task: Task, target: Path, hints: HintLevel) -> None:
    """What an agent gets: the codebase with variant 0, its instructions, and one commit with no history, remote or gold."""
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise RexbenchError(f"{target} exists and is not an empty folder; name a new one.")
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        target.rmdir()
    copy_repo(task, target, with_data=True)
    (target / INSTRUCTIONS).write_text(task.instructions(hints), encoding="utf-8")
    for arguments in (
        ("init", "--quiet", "--initial-branch=main", "--template="),
        ("add", "--all", "--force"),
        ("commit", "--quiet", "--message=Start"),
    ):
        done = run_git(*arguments, cwd=target, git_dir=target / ".git")
        if done.returncode:
            raise SystemFault(f"git {arguments[0]} failed in {target}: {done.stderr.decode(errors='replace').strip()}")
    run_git("config", "core.bare", "false", cwd=target, git_dir=target / ".git")


def _copy_writable(source: str, target: str) -> str:
    shutil.copyfile(source, target, follow_symlinks=False)
    executable = Path(source).lstat().st_mode & 0o111
    Path(target).chmod(0o755 if executable else 0o644)
    return target
