"""A home of its own for a measurement: nothing is answered from the user's records, and only the environments are shared."""

import os
from pathlib import Path


def private_home(home: Path) -> None:
    """Use this folder as home from here on, with the environments that are built in the usual one."""
    from rexbench.environment.build import ensure_environment

    built = ensure_environment("base").folder.parent
    home.mkdir(parents=True, exist_ok=True)
    if not (home / "environments").exists():
        (home / "environments").symlink_to(built)
    os.environ["REXBENCH_HOME"] = str(home)


def private_task(name: str, folder: Path) -> Path:
    """The scaffold as the only task, in a home of its own; answers with the task's folder."""
    private_home(folder / "home")
    (folder / "tasks").mkdir()
    os.environ["REXBENCH_TASKS"] = str(folder / "tasks")
    from rexbench.task.scaffold import new_task

    return new_task(name, folder / "tasks")
