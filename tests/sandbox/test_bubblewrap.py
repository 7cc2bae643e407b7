"""Bubblewrap: what is inside, what is not, and limits that hold."""

import os
import subprocess
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from rexbench.errors import SystemFault
from rexbench.sandbox import bubblewrap
from rexbench.sandbox.namespace import Namespace
from rexbench.sandbox.protocol import standard_variables
from tests.conftest import CONFIGURED
from tests.e2e.processes import wait_until_gone
from tests.sandbox.conftest import MakeJob
from tests.small_disk import small_disk

RUN = CONFIGURED.any_sandbox("bubblewrap").run


def test_the_command_runs_in_the_tree_with_the_environments_python(make_job: MakeJob) -> None:
    done = RUN(make_job("pwd; python -c 'import numpy, sys; print(sys.prefix)'; echo made > file"))
    assert done.status == 0, done.stderr
    assert done.stdout == b"/workspace\n/opt/rexbench-environment\n"
    assert (make_job("").tree / "file").read_text() == "made\n"


def test_exit_status_and_both_streams_come_back(make_job: MakeJob) -> None:
    done = RUN(make_job("echo out; echo err >&2; exit 7"))
    assert (done.status, done.stdout, done.stderr, done.stopped_by) == (7, b"out\n", b"err\n", None)


def test_a_command_ended_by_a_signal_has_a_status_above_128(make_job: MakeJob) -> None:
    assert RUN(make_job("kill -SEGV $$")).status == 139


def test_the_environment_variables_are_the_standard_ones_and_the_jobs(make_job: MakeJob, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_HOST", "x")
    done = RUN(make_job("env", variables={"SEED": "3"}))
    names = {line.split("=")[0] for line in done.stdout.decode().splitlines()} - {"PWD", "SHLVL", "_", "OLDPWD"}
    assert names == set(standard_variables("", "")) | {"SEED"}


def test_only_the_tree_temporary_folders_and_home_are_writable(make_job: MakeJob) -> None:
    places = "/ /usr /etc /opt /opt/rexbench-environment /workspace /tmp $HOME /dev/shm"
    script = f"for at in {places}; do touch $at/x 2>/dev/null && echo $at; done"
    assert RUN(make_job(script)).stdout.decode().split() == ["/workspace", "/tmp", "/home/rexbench", "/dev/shm"]


def test_read_only_folders_appear_in_the_tree_and_cannot_be_changed(make_job: MakeJob, tmp_path: Path) -> None:
    (tmp_path / "held-out").mkdir()
    (tmp_path / "held-out" / "x").write_text("1")
    done = RUN(make_job("cat data/x; echo 2 > data/x; rm -r data; touch data/y; true", read_only={"data": tmp_path / "held-out"}))
    assert done.stdout == b"1" and sorted(os.listdir(tmp_path / "held-out")) == ["x"]
    assert (tmp_path / "held-out" / "x").read_text() == "1"


def test_there_is_no_network_and_no_capability(make_job: MakeJob) -> None:
    done = RUN(make_job("grep -c . /proc/net/dev; grep CapEff /proc/self/status; grep CapBnd /proc/self/status"))
    lines, effective, bounding = done.stdout.decode().splitlines()
    assert int(lines) == 3  # two lines of heading and the private loopback
    assert set(effective.split()[1]) == {"0"} and set(bounding.split()[1]) == {"0"}


def test_a_sleeper_ends_at_the_wall_limit_and_everything_is_gone(make_job: MakeJob) -> None:
    done = RUN(make_job("trap '' TERM INT; (sleep 61 &) ; sleep 61", wall_seconds=1))
    assert done.stopped_by == "wall" and done.status is None
    assert "sleep 61" not in subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout


def test_the_memory_limit_holds_over_the_whole_process_tree(make_job: MakeJob) -> None:
    eat = "python -c 'x = bytearray(150 * 2**20); import time; time.sleep(5)'"
    done = RUN(make_job(f"{eat} & {eat} & {eat} & wait", memory_mb=300))
    assert done.stopped_by == "memory"
    assert RUN(make_job("python -c 'x = bytearray(150 * 2**20)'", memory_mb=300)).status == 0


def test_the_process_limit_holds(make_job: MakeJob) -> None:
    done = RUN(make_job("set -e; for i in $(seq 100); do sleep 3 & done; wait; echo all ran", processes=16))
    assert done.status != 0 and b"all ran" not in done.stdout


def test_the_disk_limit_holds_for_one_file_and_for_many(make_job: MakeJob) -> None:
    one = RUN(make_job("head -c 200M /dev/zero > big", disk_mb=16))
    assert one.status != 0 and (make_job("").tree / "big").stat().st_size <= 16 * 2**20
    (make_job("").tree / "big").unlink()
    many = RUN(make_job("for i in $(seq 1000); do head -c 4M /dev/zero > f$i; sleep 0.02; done", disk_mb=16))
    assert many.stopped_by == "disk"


@pytest.mark.skipif(os.getuid() != 0, reason="mounting a small file system needs root")
@pytest.mark.parametrize("size", ["8m", "80m"], ids=["the command fails", "the supervisor stops it"])
def test_a_disk_that_others_fill_is_no_fault_of_the_run(make_job: MakeJob, tmp_path: Path, size: str) -> None:
    with small_disk(tmp_path / "disk", size) as disk:
        job = make_job("sleep 1; head -c 1M /dev/zero > file && sleep 5", disk_mb=16)
        job = replace(job, tree=disk.folder / "tree")
        job.tree.mkdir()
        filling = threading.Timer(0.5, disk.fill)
        filling.start()
        with pytest.raises(SystemFault, match="is full"):
            RUN(job)
        filling.join()


def test_temporary_folders_are_bounded_too(make_job: MakeJob) -> None:
    assert RUN(make_job("head -c 100M /dev/zero > /tmp/a || exit 9; head -c 100M /dev/zero > /tmp/b", disk_mb=32)).status != 0


def test_endless_output_is_cut_and_stopped(make_job: MakeJob) -> None:
    done = RUN(make_job("yes", output_mb=2))
    assert done.stopped_by == "output" and len(done.stdout) < 3 * 2**20


def test_long_output_keeps_its_head_and_its_tail(make_job: MakeJob) -> None:
    done = RUN(make_job("echo first; head -c 3000000 /dev/zero | tr '\\0' 'x'; echo last", output_mb=4))
    assert done.stdout.startswith(b"first\n") and done.stdout.endswith(b"last\n") and b"bytes left out" in done.stdout


def test_output_is_complete_when_a_command_ends_at_once(make_job: MakeJob) -> None:
    done = RUN(make_job("head -c 900000 /dev/zero | tr '\\0' 'y'"))
    assert done.stdout == b"y" * 900_000


def test_the_record_says_how_each_limit_was_held(make_job: MakeJob) -> None:
    assert all(RUN(make_job("true")).enforced.values())


def test_no_control_group_is_left_behind(make_job: MakeJob) -> None:
    RUN(make_job("true"))
    assert not list(Path("/sys/fs/cgroup").glob(f"**/rexbench-{os.getpid()}-*"))


def test_the_first_process_is_learnt_from_the_first_piece_of_what_bubblewrap_tells() -> None:
    read, write = os.pipe()
    with subprocess.Popen(["true"]) as process:
        namespace = Namespace(process, read, None, 0)
        namespace.learn()
        assert not namespace.first
        os.write(write, b'{\n    "child-pid": %d' % os.getpid())
        namespace.learn()
        os.write(write, b',\n    "pid-namespace": 4026531836\n}\n')
        namespace.learn()
        assert namespace.first == os.getpid()
        namespace.close()
        os.close(write)


def test_peak_memory_is_seen(make_job: MakeJob) -> None:
    assert 100 <= RUN(make_job("python -c 'x = bytearray(100 * 2**20); import time; time.sleep(0.5)'")).peak_memory_mb < 200


def test_told_to_stop_right_after_the_start_nothing_stays(
    make_job: MakeJob, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until bubblewrap has set up, its child waits for it, and would wait for ever."""
    waits = iter([0.0, 0.001, 0.002, 0.004, 0.006, 0.008, 0.01, 0.012, 0.015, 0.02] * 4)

    def stopped(*_: object) -> None:
        time.sleep(next(waits))
        raise SystemExit(143)

    monkeypatch.setattr(bubblewrap, "watch", stopped)
    for _ in range(40):
        with pytest.raises(SystemExit):
            CONFIGURED.any_sandbox("bubblewrap").run(make_job("sleep 60"))
    assert wait_until_gone(tmp_path) == []
