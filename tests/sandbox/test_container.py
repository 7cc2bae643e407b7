"""The container engine: the same answers as bubblewrap. Runs where an engine answers; `make test-docker` brings one."""

import os
import signal
import subprocess
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from rexbench.errors import SystemFault
from rexbench.sandbox import contained
from rexbench.sandbox.processes import processes_below
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
        ("for i in $(seq 100); do python -c 'sum(range(5_000_000))'; done", {"cpu_seconds": 2}, "cpu"),
        ("yes", {"output_mb": 1}, "output"),
        ("python -c 'x = bytearray(10**9)'", {"memory_mb": 200}, "memory"),
    ],
)
def test_limits_hold(make_job: MakeJob, command: str, limits: dict[str, float], stopped_by: str) -> None:
    assert run(make_job(command, **limits)).stopped_by == stopped_by


EAT = """
import time
x = bytearray(120 * 2**20)
end = time.process_time() + 1
while time.process_time() < end:
    pass
time.sleep({held})
"""


@pytest.mark.parametrize("seen", ["from here", "from inside"])
def test_cpu_time_and_memory_are_on_record(make_job: MakeJob, monkeypatch: pytest.MonkeyPatch, seen: str) -> None:
    if seen == "from inside":  # as with an engine in a virtual machine
        monkeypatch.setattr(contained, "group_of", lambda pid, mark: None)
    # From inside it is asked once a second, which takes a while itself: the memory is held for long enough to be seen.
    eat = EAT.format(held=2 if seen == "from here" else 10)
    done = run(make_job(f"python -c '{eat}'"))
    assert done.status == 0, done.stderr
    assert 0.9 < done.cpu_seconds < 4
    assert 100 <= done.peak_memory_mb < 300


@pytest.mark.parametrize("whom", ["client", "kill", "rm"])
def test_what_is_killed_from_outside_is_a_fault_of_ours(make_job: MakeJob, whom: str) -> None:
    job = make_job("touch started; sleep 30")

    def kill() -> None:
        while not (job.tree / "started").exists():
            time.sleep(0.05)
        if whom == "client":
            client = next(
                pid for pid in processes_below(os.getpid())[1:] if b"docker\0run" in Path(f"/proc/{pid}/cmdline").read_bytes()
            )
            os.kill(client, signal.SIGKILL)
        else:
            listed = subprocess.run(["docker", "ps", "--quiet"], capture_output=True, text=True, check=True).stdout.split()
            subprocess.run(["docker", *whom.replace("rm", "rm --force").split(), *listed], check=True, capture_output=True)

    killing = threading.Thread(target=kill)
    killing.start()
    with pytest.raises(SystemFault):
        run(job)
    killing.join()


def test_a_container_that_cannot_be_started_is_a_fault_of_ours(make_job: MakeJob, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(SystemFault, match="could not run the container"):
        run(replace(make_job("true"), mounts={"/etc/passwd/x": tmp_path / "file"}))


@pytest.mark.parametrize("command", ["kill -9 $$", "exit 137", "exit 125"])
def test_a_run_that_kills_itself_has_failed(make_job: MakeJob, command: str) -> None:
    done = run(make_job(command))
    assert (done.status, done.stopped_by) == (125 if "125" in command else 137, None)


def test_no_container_is_left_behind(make_job: MakeJob) -> None:
    run(make_job("(sleep 63 &); true"))
    assert subprocess.run(["docker", "ps", "--all", "--quiet"], capture_output=True, text=True, check=True).stdout == ""
