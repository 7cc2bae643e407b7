"""The container engine: the same answers as bubblewrap. Runs where an engine answers; `make test-docker` brings one."""

from pathlib import Path

import pytest

from rexbench.sandbox.protocol import Finished, Job, standard_variables
from tests.conftest import CONFIGURED
from tests.sandbox.conftest import MakeJob

ENGINE = CONFIGURED.any_sandbox("docker")
pytestmark = [pytest.mark.docker, pytest.mark.skipif(ENGINE.missing() is not None, reason=f"{ENGINE.missing()}")]


def run(job: Job) -> Finished:
    return ENGINE.run(job)


def test_the_command_runs_in_the_tree_with_the_environments_python(make_job: MakeJob) -> None:
    done = run(make_job("pwd; python -c 'import numpy, sys; print(sys.prefix)'; echo made > file"))
    assert done.status == 0, done.stderr
    assert done.stdout == b"/workspace\n/opt/rexbench-environment\n"
    assert (make_job("").tree / "file").read_text() == "made\n"


def test_the_environment_variables_are_bubblewraps(make_job: MakeJob) -> None:
    done = run(make_job("env", variables={"SEED": "3"}))
    found = dict(line.split("=", 1) for line in done.stdout.decode().splitlines())
    wanted = standard_variables("/opt/rexbench-environment/bin", "/home/rexbench") | {"SEED": "3"}
    assert {name: found.get(name) for name in wanted} == wanted
    assert set(found) - set(wanted) <= {"PWD", "SHLVL", "_", "OLDPWD", "HOSTNAME"}


def test_only_the_tree_temporary_folders_and_home_are_writable(make_job: MakeJob) -> None:
    places = "/ /usr /etc /opt /opt/rexbench-environment /workspace /tmp $HOME /dev/shm"
    script = f"for at in {places}; do touch $at/x 2>/dev/null && echo $at; done; true"
    assert run(make_job(script)).stdout.decode().split() == ["/workspace", "/tmp", "/home/rexbench", "/dev/shm"]


def test_read_only_data_cannot_be_changed_and_there_is_no_network(make_job: MakeJob, tmp_path: Path) -> None:
    (tmp_path / "held-out").mkdir()
    (tmp_path / "held-out" / "x").write_text("1")
    done = run(make_job("cat data/x; echo 2 > data/x; grep -c . /proc/net/dev; true", read_only={"data": tmp_path / "held-out"}))
    assert done.stdout.split() == [b"13"] and (tmp_path / "held-out" / "x").read_text() == "1"


@pytest.mark.parametrize(
    ("command", "limits", "stopped_by"),
    [
        ("sleep 60", {"wall_seconds": 2}, "wall"),
        ("yes", {"output_mb": 1}, "output"),
        ("python -c 'x = bytearray(10**9)'", {"memory_mb": 200}, "memory"),
    ],
)
def test_limits_hold(make_job: MakeJob, command: str, limits: dict[str, float], stopped_by: str) -> None:
    assert run(make_job(command, **limits)).stopped_by == stopped_by


def test_no_container_is_left_behind(make_job: MakeJob) -> None:
    import subprocess

    run(make_job("(sleep 63 &); true"))
    assert subprocess.run(["docker", "ps", "--all", "--quiet"], capture_output=True, text=True, check=True).stdout == ""
