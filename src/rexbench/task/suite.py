"""Tasks by name: the benchmark's own, those of installed packages, and any folder.

A package of yours offers tasks by an entry point in the group `rexbench.tasks` that names a folder of them (a module or a
`pathlib.Path`); they are addressed as `package/task`, after the entry point's name.
"""

import difflib
import os
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from rexbench.errors import BrokenTask, RexbenchError, UnknownTask
from rexbench.task.folder import Task
from rexbench.task.schema import read_spec
from rexbench.task.vault import PUBLIC_PASSPHRASE


def shipped_tasks() -> Path:
    """The folder of the benchmark's own tasks, in a checkout or an installation."""
    package = Path(__file__).parents[1]
    for candidate in (package.parents[1] / "tasks", package / "tasks"):
        if candidate.is_dir():
            return candidate
    raise RexbenchError("No tasks folder was found beside the package; set REXBENCH_TASKS to one.")


class Suite:
    """The tasks that a bench knows."""

    def __init__(self, folder: Path, vault_key: str = PUBLIC_PASSPHRASE) -> None:
        if not folder.is_dir():
            raise RexbenchError(f"{folder} is named as the folder of tasks, and is no folder.")
        self.folder, self.vault_key = folder, vault_key
        self._loaded: dict[Path, tuple[object, Task]] = {}

    def ids(self) -> list[str]:
        """Names of the suite's own tasks, sorted."""
        return sorted(path.parent.name for path in self.folder.glob("*/task.toml"))

    def load(self, name: str) -> Task:
        """The task of this name: one of the suite's, `package/task`, or an absolute path to its folder."""
        package, _, inner = name.partition("/")
        if Path(name).is_absolute():
            folder = Path(name)
        elif inner:
            folder = _offered(package) / inner
        else:
            folder = self.folder / name
        if not (folder / "task.toml").is_file():
            raise UnknownTask(f"There is no task {name!r}; {self._nearest(name)}")
        return self._load(folder.resolve())

    def load_all(self, names: list[str] | None = None) -> list[Task]:
        """The tasks of these names; all of the suite's own where none is given."""
        return [self.load(name) for name in names or self.ids()]

    def address(self, task: Task) -> str:
        """What leads to this task again, from this suite: its name where it is one of ours, else its folder."""
        return task.id if task.folder.parent == self.folder.resolve() else str(task.folder)

    def _load(self, folder: Path) -> Task:
        """From memory while no file of the task has changed: a task's digest reads all of them."""
        stamp = _stamp(folder)
        kept = self._loaded.get(folder)
        if kept and kept[0] == stamp:
            return kept[1]
        task = Task(folder, read_spec(folder / "task.toml"), self.vault_key)
        if task.id != folder.name:
            raise BrokenTask(f"{folder / 'task.toml'}: id is {task.id!r} but the folder is called {folder.name!r}.")
        self._loaded[folder] = (stamp, task)
        return task

    def _nearest(self, name: str) -> str:
        known = self.ids()
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.3)
        return f"did you mean {near[0]}?" if near else f"there are: {', '.join(known) or 'none'}."


def _offered(package: str) -> Path:
    """The folder of tasks that an installed package offers under this name."""
    points = {point.name: point for point in entry_points(group="rexbench.tasks")}
    if package not in points:
        listed = f"; installed: {', '.join(points)}" if points else ""
        raise UnknownTask(
            f"No installed package offers tasks as {package!r}{listed}. A folder is named by a path that starts with ./ or /."
        )
    found = points[package].load()
    if isinstance(found, ModuleType):
        found = found.__path__[0] if hasattr(found, "__path__") else found.__file__
    return Path(found)


def _stamp(folder: Path) -> object:
    """Changes whenever a file of the folder does."""
    found = []
    waiting = [str(folder)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                else:
                    info = entry.stat(follow_symlinks=False)
                    found.append((entry.path, info.st_mtime_ns, info.st_size, info.st_mode))
    return sorted(found)
