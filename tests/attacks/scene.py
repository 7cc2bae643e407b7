"""What attacks share: the right answer as loot, a host that must stay as it was, smaller limits, and a look for survivors."""

import dataclasses
import os
import statistics
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.digest import digest_bytes
from rexbench.task.folder import Task
from rexbench.task.variants import make_variant
from tests.attacks.conftest import HELD_OUT

_GROWS = ("executions/", "evaluations/", "variants/", "locks/", "sandbox-etc/", "secret")
"""Where a judgement may add files, below the home; nothing may change those that are there."""

SOLUTION = """
import pathlib, statistics
from readingtimes.loading import load
rows = [f"{name},{statistics.median(values):.6f}" for name, values in load(pathlib.Path("data/readings.csv")).items()]
pathlib.Path("results").mkdir(exist_ok=True)
pathlib.Path("results/medians.csv").write_text("group,median\\n" + "\\n".join(rows) + "\\n")
"""
"""A right solution, for attacks that come on top of one."""


def answer(task: Task, seed: int = HELD_OUT) -> str:
    """The file that a right solution leaves on this variant: what every thief is after."""
    groups: dict[str, list[float]] = {}
    for line in (make_variant(task, seed, Bench().home).data / "readings.csv").read_text().splitlines()[1:]:
        group, milliseconds = line.split(",")
        if float(milliseconds) > 0:
            groups.setdefault(group, []).append(float(milliseconds))
    return "group,median\n" + "".join(f"{name},{statistics.median(values):.6f}\n" for name, values in groups.items())


def limited(task: Task, **limits: float) -> Task:
    """The task with other limits."""
    return dataclasses.replace(task, spec=task.spec.model_copy(update={"limits": task.spec.limits.model_copy(update=limits)}))


def canary(folder: Path) -> Path:
    """A file of the host's user that no submission has any business with."""
    file = folder / "canary.txt"
    file.write_text("untouched")
    return file


@contextmanager
def host_untouched(folder: Path) -> Iterator[None]:
    """Nothing that was below `folder` changes, and nothing new appears but records, variants and locks in the home."""
    canary(folder)
    earlier = folder / "home" / "executions" / "00" / "earlier" / "execution.json"
    earlier.parent.mkdir(parents=True, exist_ok=True)
    earlier.write_text('{"outcome": "of another run"}')
    before = snapshot(folder)
    yield
    after = snapshot(folder)
    assert {path for path in before if after.get(path) != before[path]} == set(), "something on the host was changed or removed"
    new = {path for path in after.keys() - before.keys() if not path.removeprefix("home/").startswith(_GROWS)}
    assert new == set(), "something was left on the host"


def snapshot(folder: Path) -> dict[str, tuple[int, str]]:
    """Mode and content of every file and link below `folder`."""
    found = {}
    for parent, folders, files in os.walk(folder):
        for name in files + [name for name in folders if Path(parent, name).is_symlink()]:
            path = Path(parent, name)
            content = os.fsencode(os.readlink(path)) if path.is_symlink() else b""
            if path.is_file() and not path.is_symlink():  # a pipe is not to be waited for
                content = path.read_bytes()
            found[path.relative_to(folder).as_posix()] = (path.lstat().st_mode, digest_bytes(content))
    return found


def alive(name: str) -> list[str]:
    """Command lines of living processes that mention `name`."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with suppress(OSError):
                told = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if name in told:
                    found.append(told)
    return found
