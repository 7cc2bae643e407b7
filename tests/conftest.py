"""Shared parts of the tests: a home of their own with the real environments, and a small real task."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rexbench.environment.build import describe, ensure_environment
from rexbench.evaluation.execute import Bench
from rexbench.places import home as rexbench_home
from rexbench.record.store import Store
from rexbench.sandbox.bubblewrap import Bubblewrap
from rexbench.task.folder import Task, load_task
from rexbench.task.scaffold import new_task
from rexbench.workspace.difference import Entry, difference

CONFIGURED_HOME = rexbench_home()
"""Where environments are built once and kept between test runs."""


@pytest.fixture(scope="session")
def environments() -> Path:
    """The folder with the environment `base`, built if it is not there yet."""
    ensure_environment("base")
    return describe("base").folder.parent


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environments: Path) -> Iterator[Path]:
    """A home of the test's own that shares nothing with others but the environments."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "environments").symlink_to(environments)
    monkeypatch.setenv("REXBENCH_HOME", str(folder))
    yield folder
    assert not list((folder / "scratch").glob("*")), "work in flight was left behind"


@pytest.fixture
def toy(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Task:
    """The scaffold as a task: small, real, with gold, an alternative and near misses."""
    tasks = tmp_path / "tasks"
    tasks.mkdir()
    monkeypatch.setenv("REXBENCH_TASKS", str(tasks))
    new_task("toy", tasks)
    return load_task("toy")


@pytest.fixture
def bench(home: Path) -> Bench:
    return Bench(Store(home), Bubblewrap())


PatchOf = Callable[..., bytes]


@pytest.fixture
def patch_of(toy: Task) -> PatchOf:
    """Makes a patch of the toy task from the files that it shall have; None deletes one."""

    def make(files: dict[str, str | bytes | None], modes: dict[str, bytes] | None = None) -> bytes:
        before, after = {}, {}
        for name, content in files.items():
            at = toy.repo / name
            if at.is_file():
                before[os.fsencode(name)] = Entry(b"100755" if at.stat().st_mode & 0o111 else b"100644", at.read_bytes())
            if content is not None:
                mode = (modes or {}).get(name, b"100755" if name.endswith(".sh") else b"100644")
                after[os.fsencode(name)] = Entry(mode, content.encode() if isinstance(content, str) else content)
        return difference(before, after)

    return make
