"""A new task that already passes lint and its own checks: a small worked example, to be rewritten piece by piece."""

import re
import shutil
from pathlib import Path

from rexbench.errors import RexbenchError

TEMPLATE = Path(__file__).parent / "template"
SCORED = Path(__file__).parent / "template_scored"
LABORATORY = Path(__file__).parent / "template_laboratory"
"""What a laboratory adds to the scored template."""
BUDGET = 512


def new_task(path: Path, scored: bool = False, laboratory: bool = False) -> Path:
    """Create a task from a template at this path, whose last part is its name. A laboratory makes it a scored one."""
    task_id = path.name
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", task_id):
        raise RexbenchError(f"{task_id!r} cannot be a task's name; use lower-case words joined by hyphens.")
    if path.exists():
        raise RexbenchError(f"{path} exists already.")
    shutil.copytree(SCORED if scored or laboratory else TEMPLATE, path, ignore=shutil.ignore_patterns("__pycache__"))
    spec = path / "task.toml"
    spec.write_text(spec.read_text(encoding="utf-8").replace('id = "task-id"', f'id = "{task_id}"'), encoding="utf-8")
    if laboratory:
        _add_laboratory(path)
    return path


def _add_laboratory(path: Path) -> None:
    """The world that answers, a copy of it for the public recordings, its client, and what the texts say of it."""
    from rexbench.laboratory.client import client_source

    shutil.copyfile(LABORATORY / "laboratory.py", path / "laboratory.py")
    shutil.copyfile(LABORATORY / "laboratory.py", path / "repo" / "laboratory.py")
    (path / "repo" / "lab.py").write_text(client_source(BUDGET), encoding="utf-8")
    spec = path / "task.toml"
    told = spec.read_text(encoding="utf-8").replace('"evaluate.py"]', '"evaluate.py", "laboratory.py", "lab.py"]')
    spec.write_text(told.replace("[[artefacts]]", f"[laboratory]\nbudget = {BUDGET}\n\n[[artefacts]]", 1), encoding="utf-8")
    instructions = path / "instructions.md"
    text = instructions.read_text(encoding="utf-8") + (LABORATORY / "instructions.md").read_text(encoding="utf-8")
    instructions.write_text(text, encoding="utf-8")
