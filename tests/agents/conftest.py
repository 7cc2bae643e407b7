"""Real tasks, real programs: those installed under the configured home."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rexbench.agent.install import programs
from tests.conftest import CONFIGURED_HOME


@pytest.fixture
def programs_home(home: Path) -> Iterator[Path]:
    """A home of the test's own that shares the programs and the environments."""
    (home / "agents").symlink_to(CONFIGURED_HOME / "agents")
    yield home


def need(name: str) -> None:
    """Skip where the program is not installed, and say how to get it."""
    if not programs()[name].installed:
        pytest.skip(f"{name} is not installed; run: rexbench agents install {name}")
