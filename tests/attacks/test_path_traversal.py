"""The patch names files outside the tree: by `..`, by absolute paths, by quoted names, and in the folder that git itself uses."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.workspace.git import run_git
from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

NEW = b"diff --git %(a)s %(b)s\nnew file mode 100755\n--- /dev/null\n+++ %(b)s\n@@ -0,0 +1 @@\n+touched\n"
NAMES = {
    "up": "../canary.txt",
    "up and up": "../../../../../../../tmp/rexbench-canary",
    "inside and out": "readingtimes/../../canary.txt",
    "git hook": ".git/hooks/post-checkout",
    "git settings": ".git/config",
    "git in capitals": ".GIT/config",
    "nested git": "readingtimes/.git/config",
    "absolute": "/tmp/rexbench-canary",
    "double slash": "readingtimes//../../canary.txt",
    "dot": "./../canary.txt",
    "data by a dot": "./data/readings.csv",
    "papers by a dot": "readingtimes/../papers/author2024.md",
}


@pytest.mark.parametrize("quoted", [False, True], ids=["plain", "quoted"])
@pytest.mark.parametrize("kind", sorted(NAMES))
def test_a_patch_that_names_a_file_outside_the_tree_is_refused(
    judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path, kind: str, quoted: bool
) -> None:
    name = NAMES[kind]
    written = name.replace(".", "\\056").replace("/", "\\057") if quoted else name
    sides = {b"a": f'"a/{written}"' if quoted else f"a/{name}", b"b": f'"b/{written}"' if quoted else f"b/{name}"}
    patch = patch_of({"run.sh": "true\n"}) + NEW % {key: value.encode() for key, value in sides.items()}

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert verdict.outcome == "patch_rejected"
    assert not Path("/tmp/rexbench-canary").exists()


def test_a_tool_that_believes_the_patch_writes_outside(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    patch = NEW % {b"a": b"a/../canary.txt", b"b": b"b/../canary.txt"}
    assert run_git("apply", "--unsafe-paths", cwd=tree, stdin=patch).returncode == 0
    assert (tmp_path / "canary.txt").read_text() == "touched\n"
