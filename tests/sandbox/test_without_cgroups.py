"""Where control groups cannot be made, looking holds the limits."""

import pytest

from rexbench.sandbox import bubblewrap
from tests.conftest import CONFIGURED
from tests.sandbox.conftest import MakeJob


@pytest.fixture(autouse=True)
def no_cgroups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "make_cgroup", lambda memory_mb, processes: None)


def test_memory_of_the_process_tree_is_held(make_job: MakeJob) -> None:
    eat = "python -c 'x = bytearray(150 * 2**20); import time; time.sleep(5)'"
    done = CONFIGURED.any_sandbox("bubblewrap").run(make_job(f"{eat} & {eat} & {eat} & wait", memory_mb=300))
    assert done.stopped_by == "memory" and done.enforced["memory"] == "supervisor"


def test_the_number_of_processes_is_held(make_job: MakeJob) -> None:
    done = CONFIGURED.any_sandbox("bubblewrap").run(
        make_job("for i in $(seq 100); do sleep 5 & done; wait; echo all ran", processes=16)
    )
    assert (done.stopped_by == "processes" or done.status != 0) and b"all ran" not in done.stdout


def test_an_ordinary_command_is_not_disturbed(make_job: MakeJob) -> None:
    assert CONFIGURED.any_sandbox("bubblewrap").run(make_job("python -c 'import numpy'")).status == 0
