"""A new task that already passes lint and its own checks: a small worked example, to be rewritten piece by piece."""

import re
import shutil
from pathlib import Path

from rexbench.errors import RexbenchError

TEMPLATE = Path(__file__).parent / "template"


def new_task(path: Path) -> Path:
    """Create a task from the template at this path, whose last part is its name."""
    task_id = path.name
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", task_id):
        raise RexbenchError(f"{task_id!r} cannot be a task's name; use lower-case words joined by hyphens.")
    if path.exists():
        raise RexbenchError(f"{path} exists already.")
    shutil.copytree(TEMPLATE, path, ignore=shutil.ignore_patterns("__pycache__"))
    spec = path / "task.toml"
    spec.write_text(spec.read_text(encoding="utf-8").replace('id = "task-id"', f'id = "{task_id}"'), encoding="utf-8")
    return path
