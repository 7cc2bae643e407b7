"""A patch of a few kilobytes copies a large file of the codebase under hundreds of new names, on the host, before any sandbox."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from rexbench.workspace.git import run_git
from rexbench.workspace.patch import MAX_PATCH
from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

LARGE, COPIES = 4 * 2**20, 40
SOURCES = {"plain": "weights.bin", "quoted": '"weights\\056bin"'}


@pytest.mark.parametrize("spelling", sorted(SOURCES))
def test_what_a_patch_copies_is_bounded(
    toy: Task, judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path, spelling: str
) -> None:
    (toy.repo / "weights.bin").write_bytes(bytes(LARGE))
    assert Bench().task("toy").digest and LARGE * COPIES > 8 * MAX_PATCH

    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": "true\n"}) + _copies(SOURCES[spelling]))

    assert verdict.outcome == "patch_rejected"


def test_git_makes_every_copy(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "weights.bin").write_bytes(bytes(4096))
    assert run_git("apply", cwd=tree, stdin=_copies(SOURCES["quoted"])).returncode == 0
    assert len(list(tree.iterdir())) == COPIES + 1


def _copies(source: str) -> bytes:
    old = f'"a/{source[1:]}' if source.startswith('"') else f"a/{source}"
    one = "diff --git {old} b/copy{n}.bin\nsimilarity index 100%\ncopy from {source}\ncopy to copy{n}.bin\n"
    return "".join(one.format(old=old, source=source, n=n) for n in range(COPIES)).encode()
