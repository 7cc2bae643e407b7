"""The plain process: no isolation, said so, and still nothing left behind."""

import subprocess

import pytest

from rexbench.api.bench import Bench
from rexbench.errors import RexbenchError
from tests.conftest import CONFIGURED
from tests.sandbox.conftest import MakeJob


def test_it_needs_an_explicit_word() -> None:
    with pytest.raises(RexbenchError, match="--unsafe"):
        _ = Bench(sandbox="process").sandbox
    assert Bench(sandbox="process", unsafe=True).sandbox.name == "process"


def test_an_unknown_sandbox_is_told_with_the_known_ones() -> None:
    with pytest.raises(RexbenchError, match="bubblewrap, docker"):
        _ = Bench(sandbox="vm").sandbox


def test_it_says_that_the_network_is_open(make_job: MakeJob) -> None:
    assert CONFIGURED.any_sandbox("process").run(make_job("true")).enforced["network"] == "not enforced"


def test_time_and_output_are_held_and_children_are_gone(make_job: MakeJob) -> None:
    assert CONFIGURED.any_sandbox("process").run(make_job("setsid sleep 62 & sleep 62", wall_seconds=1)).stopped_by == "wall"
    assert CONFIGURED.any_sandbox("process").run(make_job("yes", output_mb=1)).stopped_by == "output"
    assert "sleep 62" not in subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
