"""A repository inside the workspace, or a `.git` file that points to one, brings settings of its own and hides what is in it."""

import subprocess
from pathlib import Path

import pytest

from rexbench.task.folder import Task
from rexbench.workspace.capture import capture_patch
from rexbench.workspace.tree import make_workspace
from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched
from tests.conftest import CONFIGURED


@pytest.mark.parametrize("how", ["nested", "pointed-to", "replaced", "linked", "submodule"])
def test_a_repository_of_the_workspaces_own_is_never_opened(toy: Task, judge: Judge, tmp_path: Path, how: str) -> None:
    workspace = tmp_path / "workspace"
    make_workspace(toy, workspace, "none")
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{tmp_path / 'started'}'\n")
    program.chmod(0o755)
    inner = workspace / "inner"
    subprocess.run(["git", "init", "--quiet", str(inner)], check=True)
    with (inner / ".git" / "config").open("a") as file:
        file.write(f'[core]\n\tfsmonitor = "{program}"\n')
    (inner / "code.py").write_text("print(1)\n")
    if how != "nested" and how != "submodule":
        (workspace / ".git").rename(tmp_path / "original")
        if how == "pointed-to":
            (workspace / ".git").write_text("gitdir: inner/.git\n")
        elif how == "replaced":
            (inner / ".git").rename(workspace / ".git")
        else:
            (workspace / ".git").symlink_to("inner/.git")
    if how == "submodule":
        (workspace / ".gitmodules").write_text('[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n\tupdate = !touch started\n')

    with host_untouched(tmp_path):
        captured = capture_patch(toy, workspace, CONFIGURED.home)
        verdict = judge(captured.patch)

    assert b"inner/code.py" in captured.patch, "what lies in a nested repository is part of the work"
    assert b".git/" not in captured.patch
    assert verdict.outcome == "bad_artifact"
    assert not (tmp_path / "started").exists()

    subprocess.run(["git", "status"], cwd=inner if how in ("nested", "submodule") else workspace, capture_output=True, check=False)
    assert (tmp_path / "started").exists(), "git inside starts what its settings name"
