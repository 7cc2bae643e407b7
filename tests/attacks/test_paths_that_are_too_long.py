"""A patch names a file whose path is just short enough for git and just too long for the host: a fault that looks like ours.

A fault of ours is never counted. An agent that can cause one decides by itself which of its runs count.
"""

from pathlib import Path

import pytest

from rexbench.task.folder import Task
from rexbench.workspace.difference import Entry, difference
from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched
from tests.conftest import CONFIGURED


@pytest.mark.parametrize("length", [3900, 4000, 4066, 4094])
def test_a_path_at_the_edge_of_what_the_system_takes_is_no_fault_of_ours(
    toy: Task, judge: Judge, tmp_path: Path, length: int
) -> None:
    name = "/".join(["n" * 250] * 20)[: length - 4] + "/end"
    before = {b"run.sh": Entry(b"100755", (toy.repo / "run.sh").read_bytes())}
    after = {b"run.sh": Entry(b"100755", b"true\n"), name.replace("//", "/x").encode(): Entry(b"100644", b"x\n")}
    patch = difference(before, after, CONFIGURED.home)

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert verdict.outcome in ("patch_rejected", "bad_artifact")
