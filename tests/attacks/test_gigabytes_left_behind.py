"""An agent leaves gigabytes of checkpoints, real and sparse. They were read into memory; what did not fit was a fault of ours."""

import os
import resource
from pathlib import Path

import pytest

from rexbench.task.folder import Task
from rexbench.workspace.capture import Captured, capture_patch
from rexbench.workspace.difference import Entry, difference
from rexbench.workspace.patch import MAX_CONTENT, MAX_PATCH, summarise
from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched
from tests.attacks.workspaces import in_child, solved_workspace
from tests.conftest import CONFIGURED


@pytest.fixture
def aside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Outside of what is looked through for changes, which would take as long as there are gigabytes."""
    return tmp_path_factory.mktemp("aside") / "workspace"


def _sparse(path: Path, size: int) -> None:
    with path.open("wb") as file:
        file.truncate(size)


@pytest.mark.parametrize("what", ["checkpoints", "blank lines", "edited files"])
def test_work_that_lies_beside_gigabytes_is_judged(toy: Task, judge: Judge, tmp_path: Path, aside: Path, what: str) -> None:
    if what == "edited files":
        for number in range(60):
            (toy.repo / f"notes{number}.txt").write_text("as it was\n")
    workspace = solved_workspace(toy, aside)
    (workspace / "own.py").write_text("x = 1\n")
    _sparse(workspace / "huge.bin", 10**12)
    for number in range(60):
        _sparse(workspace / f"model{number}.bin", MAX_CONTENT - number)
        if what == "edited files":
            _sparse(workspace / f"notes{number}.txt", MAX_CONTENT // 2 + number)
    if what == "checkpoints":
        for number in range(14):
            (workspace / f"epoch{number}.bin").write_bytes(os.urandom(2**20))
    if what == "blank lines":
        (workspace / "blank.txt").write_bytes(b"\n" * (MAX_CONTENT - 10_000))

    captured = capture_patch(toy, workspace, CONFIGURED.home)
    with host_untouched(tmp_path):
        verdict = judge(captured.patch)

    assert verdict.outcome == "success"
    assert "own.py" in summarise(captured.patch, tmp_path).files and len(captured.patch) <= MAX_PATCH
    assert "more did not fit" in captured.too_much and "huge.bin: larger than" in captured.skipped[0]

    if what == "checkpoints":
        everything = {path.name.encode(): Entry(b"100644", path.read_bytes()) for path in workspace.glob("epoch*.bin")}
        assert len(difference({}, everything, CONFIGURED.home)) > MAX_PATCH, "taken whole, it is more than a patch may be"


def test_the_memory_that_a_capture_takes_does_not_depend_on_what_is_there(toy: Task, aside: Path) -> None:
    workspace = solved_workspace(toy, aside)
    for number in range(400):
        _sparse(workspace / f"model{number}.bin", MAX_CONTENT - 10_000 - number)

    def bounded() -> Captured:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 500 * 2**20, resource.RLIM_INFINITY))
        return capture_patch(toy, workspace, CONFIGURED.home)

    assert in_child(bounded).patch
