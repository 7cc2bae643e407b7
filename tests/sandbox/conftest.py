"""Jobs for the sandbox tests."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.sandbox.protocol import Job, ResourceLimits
from tests.conftest import CONFIGURED

MakeJob = Callable[..., Job]


@pytest.fixture
def make_job(home: Path, tmp_path: Path) -> MakeJob:
    """A job on a fresh tree, with small limits that a test may change."""

    def make(
        command: str, read_only: dict[str, Path] | None = None, variables: dict[str, str] | None = None, **limits: float
    ) -> Job:
        tree = tmp_path / "tree"
        tree.mkdir(exist_ok=True)
        chosen = {"cpu_seconds": 10, "wall_seconds": 60, "memory_mb": 300, "processes": 32, "disk_mb": 64, "output_mb": 4} | limits
        for inside in read_only or {}:
            (tree / inside).mkdir(exist_ok=True)
        return Job(
            command, tree, CONFIGURED.environments.describe("base"), ResourceLimits(**chosen), read_only or {}, variables or {}
        )  # type: ignore[arg-type]

    return make
