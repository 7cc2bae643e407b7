"""Control groups as far as they can be had: of each controller what is there, and nothing that was not made and written to."""

import os
from pathlib import Path

import pytest

from rexbench.sandbox import cgroup
from rexbench.sandbox.cgroup import Cgroup, make_cgroup
from tests.conftest import CONFIGURED
from tests.sandbox.conftest import MakeJob

UNIFIED = Path("/sys/fs/cgroup/unified")
"""Version 2 beside version 1: a hierarchy without controllers, as an ordinary user's desktop often has it."""


@pytest.mark.skipif(
    not os.access(UNIFIED / "cgroup.procs", os.W_OK), reason="there is no hierarchy of version 2 without controllers here"
)
def test_cpu_time_is_counted_by_a_group_that_can_hold_nothing(make_job: MakeJob, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "_groups", lambda pid: (2, [UNIFIED] * 3))
    done = CONFIGURED.any_sandbox("bubblewrap").run(make_job("python -S -c 'import time\nwhile time.process_time() < 0.3: pass'"))
    assert done.status == 0 and 0.3 <= done.cpu_seconds < 2
    assert (done.enforced["cpu"], done.enforced["memory"]) == ("cgroup v2, supervisor", "supervisor")
    assert not list(UNIFIED.glob("rexbench-*"))


def test_where_nothing_can_be_made_there_is_no_group_and_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "_groups", lambda pid: (2, [tmp_path] * 3))
    assert make_cgroup(100, 10) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("events", "told"), [("oom 0\noom_kill 0\n", None), ("oom 2\noom_kill 1\n", "own"), ("oom 0\noom_kill 1\n", "host")]
)
def test_a_kill_for_memory_is_the_groups_own_where_its_limit_was_reached(tmp_path: Path, events: str, told: str | None) -> None:
    (tmp_path / "memory.events").write_text(events)
    assert Cgroup(2, None, tmp_path, None).killed_for_memory() == told
