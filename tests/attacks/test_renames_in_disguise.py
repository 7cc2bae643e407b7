"""A protected file is moved away or over by a rename or copy whose names are quoted, or spelt in a way that few readers know."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from rexbench.workspace.git import run_git
from rexbench.workspace.tree import copy_repo
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import host_untouched
from tests.trials import evaluate

PAPER = "papers/author2024.md"
MOVES = {
    "away": ("a/{0} b/moved.md", "rename from {0}\nrename to moved.md\n"),
    "away, quoted": ('"a/papers/author\\062024.md" b/moved.md', 'rename from "papers/author\\062024.md"\nrename to moved.md\n'),
    "away, old words": ("a/{0} b/moved.md", "rename old {0}\nrename new moved.md\n"),
    "over": ("a/README.md b/{0}", "rename from README.md\nrename to {0}\n"),
    "over, quoted": ('a/README.md "b/papers/author\\062024.md"', 'rename from README.md\nrename to "papers/author\\062024.md"\n'),
    "copied over": ("a/README.md b/{0}", "copy from README.md\ncopy to {0}\n"),
    "copied into": ("a/README.md b/papers/new.md", "copy from README.md\ncopy to papers/new.md\n"),
    "guarded file away": ("a/readingtimes/loading.py b/moved.py", "rename from readingtimes/loading.py\nrename to moved.py\n"),
}


@pytest.mark.parametrize("kind", sorted(MOVES))
def test_a_rename_that_involves_a_protected_file_is_refused(
    toy: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path, kind: str
) -> None:
    guarded = dataclasses.replace(
        toy, spec=toy.spec.model_copy(update={"protected": (*toy.spec.protected, "readingtimes/loading.py")})
    )
    header, move = (part.format(PAPER) for part in MOVES[kind])
    patch = patch_of({"run.sh": "true\n"}) + f"diff --git {header}\nsimilarity index 100%\n{move}".encode()

    with host_untouched(tmp_path):
        verdict = evaluate(guarded, patch, HELD_OUT, bench)

    assert verdict.outcome == "patch_rejected"


def test_git_alone_moves_it_away(toy: Task, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    copy_repo(toy, tree, with_data=False)
    header, move = (part.format(PAPER) for part in MOVES["away, quoted"])
    done = run_git("apply", cwd=tree, stdin=f"diff --git {header}\nsimilarity index 100%\n{move}".encode())
    assert done.returncode == 0, done.stderr
    assert (tree / "moved.md").exists() and not (tree / PAPER).exists()
