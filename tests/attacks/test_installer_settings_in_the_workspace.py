"""A workspace holds a module called `pip` and a `uv.toml` that names another package index, for whoever builds there."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rexbench.environment.uv import Uv
from tests.attacks.scene import canary


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, one that nobody trusts."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    monkeypatch.chdir(folder)
    yield folder


def test_asking_pip_for_its_settings_runs_no_module_of_the_current_folder(inside: Path, tmp_path: Path) -> None:
    file = canary(tmp_path)
    (inside / "pip.py").write_text(f"open({str(file)!r}, 'w').write('touched')\n")

    assert Uv(os.environ).torch_arguments() is not None

    assert file.read_text() == "untouched"

    subprocess.run([sys.executable, "-m", "pip", "config", "list"], cwd=inside, capture_output=True, check=False)
    assert file.read_text() == "touched", "asked plainly, the module in the folder answers"


def test_uv_takes_no_settings_from_the_current_folder(inside: Path) -> None:
    (inside / "uv.toml").write_text('no-such-setting = "read"\n')

    assert Uv(os.environ).run("pip", "list", "--python", sys.executable), "a broken uv.toml stops uv only if uv reads it"
