"""Environments: keyed by what is in them, built once, honest about pip's settings."""

import os
import subprocess
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.environment import build
from rexbench.environment.build import ENVIRONMENTS, pins
from rexbench.environment.uv import Uv
from tests.conftest import CONFIGURED


def test_every_requirement_is_pinned_exactly() -> None:
    for name in ENVIRONMENTS:
        lines = [line for line in pins(name).splitlines() if line and not line.startswith("#")]
        assert lines and all("==" in line for line in lines)


def test_torch_is_base_and_more_with_no_gpu_packages() -> None:
    base, torch = set(pins("base").splitlines()), set(pins("torch").splitlines())
    assert base <= torch
    assert not [line for line in torch if line.startswith(("nvidia", "cuda", "triton"))]


def test_other_pins_are_another_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Bench(home=tmp_path).environments.describe("base")
    monkeypatch.setattr(build, "pins", lambda name: "numpy==1.0")
    after = Bench(home=tmp_path).environments.describe("base")
    assert after.digest != before.digest and after.folder != before.folder


def test_the_base_environment_works_where_it_stands_and_where_it_is_moved(environments: Path) -> None:
    environment = CONFIGURED.environments.ensure("base")
    told = subprocess.run(
        [environment.bin / "python", "-c", "import numpy, radon, sklearn; print(1)"], capture_output=True, text=True, check=False
    )
    assert told.stdout == "1\n", told.stderr


def test_a_build_that_was_cut_short_is_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environments = Bench(home=tmp_path).environments
    monkeypatch.setattr(build, "pins", lambda name: "six==1.17.0\n")
    cut = environments.describe("base")
    (cut.folder / "bin").mkdir(parents=True)
    (cut.folder / "bin" / "python").write_text("half")
    assert not environments.is_built("base")
    made = environments.ensure("base")
    assert environments.is_built("base") and subprocess.run([made.bin / "python", "-c", "import six"], check=False).returncode == 0


def test_pip_settings_are_handed_to_uv_and_variables_that_are_set_win() -> None:
    variables = {"PATH": os.environ["PATH"], "PIP_FIND_LINKS": "/some/wheels", "PIP_INDEX_URL": "file:///some/index"}
    told = Uv(variables | {"UV_INDEX_URL": "file:///another"})._pip_settings
    assert told["UV_FIND_LINKS"] == "/some/wheels" and told["UV_INDEX_URL"] == "file:///another"


def test_without_a_configured_wheel_torch_comes_from_the_cpu_index(tmp_path: Path) -> None:
    variables = {"PATH": os.environ["PATH"], "PIP_FIND_LINKS": str(tmp_path)}
    assert Uv(variables).torch_arguments() == ("--torch-backend", "cpu")
    (tmp_path / "torch-2.13.0+cpu-cp311-cp311-linux_x86_64.whl").touch()
    assert Uv(variables).torch_arguments() == ()
