"""The sandbox itself fails to come up after it has told its first process, and the failure is put down to the experiment."""

from pathlib import Path

import pytest

from rexbench.errors import SystemFault
from rexbench.sandbox.protocol import Job, ResourceLimits
from tests.conftest import CONFIGURED


def test_a_sandbox_that_cannot_be_set_up_is_a_fault_of_the_system(home: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    gone = {"data": tmp_path / "not-there"}
    job = Job("touch started", tree, CONFIGURED.environments.ensure("base"), ResourceLimits(5, 500, 32, 16, 1), gone)

    with pytest.raises(SystemFault):
        CONFIGURED.any_sandbox("bubblewrap").run(job)
    assert not (tree / "started").exists()


def test_an_experiment_that_imitates_such_a_failure_is_not_believed(home: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    command = 'echo "bwrap: Can\'t find source path /data: No such file or directory" >&2; exit 1'
    finished = CONFIGURED.any_sandbox("bubblewrap").run(
        Job(command, tree, CONFIGURED.environments.ensure("base"), ResourceLimits(5, 500, 32, 16, 1))
    )
    assert finished.status == 1
