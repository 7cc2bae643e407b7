"""A new task that already passes lint and its own checks: a small worked example, to be rewritten piece by piece."""

import re
import shutil
from pathlib import Path

from rexbench.errors import RexbenchError

TEMPLATE = Path(__file__).parent / "template"


def new_task(task_id: str, tasks: Path) -> Path:
    """Create `tasks/<task_id>` from the template."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", task_id):
        raise RexbenchError(f"{task_id!r} cannot be a task's name; use lower-case words joined by hyphens.")
    folder = tasks / task_id
    if folder.exists():
        raise RexbenchError(f"{folder} exists already.")
    shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    spec = folder / "task.toml"
    spec.write_text(spec.read_text(encoding="utf-8").replace('id = "task-id"', f'id = "{task_id}"'), encoding="utf-8")
    return folder
