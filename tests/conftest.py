"""Shared parts of the tests: a home of their own with the real environments, and a small real task."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rexbench.api.bench import Bench
from rexbench.sandbox import protocol
from rexbench.task.folder import Task
from rexbench.task.scaffold import new_task
from rexbench.workspace.difference import Entry, difference
from tests.browser import CHROMIUM, FLAGS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CONFIGURED = Bench()
"""Where environments are built once and kept between test runs."""


@pytest.fixture(scope="session")
def environments() -> Path:
    """The folder with the environment `base`, built if it is not there yet."""
    return CONFIGURED.environments.ensure("base").folder.parent


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environments: Path) -> Iterator[Path]:
    """A home of the test's own that shares nothing with others but the environments; the command line finds it too."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    (folder / "environments").symlink_to(environments)
    monkeypatch.setenv("REXBENCH_HOME", str(folder))
    yield folder
    assert not list((folder / "scratch").glob("*")), "work in flight was left behind"


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite of the test's own; the command line finds it too."""
    folder = tmp_path / "tasks"
    folder.mkdir()
    monkeypatch.setenv("REXBENCH_TASKS", str(folder))
    return folder


@pytest.fixture
def toy(home: Path, tasks: Path) -> Task:
    """The scaffold as a task: small, real, with gold, an alternative and near misses."""
    new_task(tasks / "toy")
    return Bench(home=home, tasks=tasks).task("toy")


@pytest.fixture
def bench(home: Path, tasks: Path) -> Bench:
    return Bench(home=home, tasks=tasks)


@pytest.fixture
def short_backstop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs that sleep are ended after two seconds, or after their CPU limit where that is longer."""
    monkeypatch.setattr(protocol, "LEAST_WALL_SECONDS", 2.0)
    monkeypatch.setattr(protocol, "WALL_FACTOR", 1.0)


PatchOf = Callable[..., bytes]


@pytest.fixture
def patch_of(toy: Task, bench: Bench) -> PatchOf:
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
        return difference(before, after, bench.home)

    return make


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """The system's Chromium, for the pages that people see."""
    if not CHROMIUM:
        pytest.skip("no chromium is installed: make browser")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (it is in the group dev)")
    with playwright.sync_playwright() as engine:
        started = engine.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        yield started
        started.close()
