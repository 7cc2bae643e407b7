"""Real tasks, real programs: those installed under the configured home."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rexbench.agent.install import Programs
from tests.conftest import CONFIGURED


@pytest.fixture
def programs_home(home: Path) -> Iterator[Path]:
    """A home of the test's own that shares the programs and the environments."""
    (home / "agents").symlink_to(CONFIGURED.home.folder / "agents")
    yield home


def need(name: str) -> None:
    """Skip where the program is not installed, and say how to get it."""
    if not Programs(CONFIGURED.home, CONFIGURED.settings.variables).known()[name].installed:
        pytest.skip(f"{name} is not installed; run: rexbench agents install {name}")
