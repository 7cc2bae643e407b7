"""A bench of its own for a measurement: nothing is answered from the user's records, and only the environments are shared."""

from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.task.scaffold import new_task


def private_bench(home: Path, tasks: Path | None = None) -> Bench:
    """A bench with this home, and the environments that are built in the usual one."""
    built = Bench().environments.ensure("base").folder.parent
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (home / "environments").exists():
        (home / "environments").symlink_to(built)
    return Bench(home=home, tasks=tasks)


def bench_with_task(name: str, folder: Path) -> Bench:
    """A bench whose only task is the scaffold, under this name."""
    (folder / "tasks").mkdir()
    new_task(folder / "tasks" / name)
    return private_bench(folder / "home", folder / "tasks")
