"""The workspace's own git settings name programs (fsmonitor, hooks, filters, diff drivers), and git would start them."""

import subprocess
from pathlib import Path

import pytest

from rexbench.task.folder import Task
from rexbench.workspace.capture import capture_patch
from rexbench.workspace.tree import make_workspace
from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched
from tests.conftest import CONFIGURED

ATTRIBUTES = "* filter=evil diff=evil\n*.sh diff=text\n"
SETTINGS = {
    "fsmonitor": '[core]\n\tfsmonitor = "{program}"\n',
    "hook": "[core]\n\thooksPath = {hooks}\n",
    "filter": '[filter "evil"]\n\tclean = {program}\n\tsmudge = {program}\n\trequired = true\n',
    "external diff": "[diff]\n\texternal = {program}\n",
    "diff driver": '[diff "evil"]\n\tcommand = {program}\n\ttextconv = {program}\n[diff "text"]\n\ttextconv = {program}\n',
    "pager": "[core]\n\tpager = {program}\n[alias]\n\tdiff = !{program}\n",
    "include": "[include]\n\tpath = {included}\n",
}


@pytest.mark.parametrize("kind", sorted(SETTINGS))
def test_capturing_a_patch_starts_no_program_of_the_workspace(toy: Task, judge: Judge, tmp_path: Path, kind: str) -> None:
    workspace = _armed(toy, tmp_path, kind)
    (workspace / "run.sh").write_text("exit 0\n")

    with host_untouched(tmp_path):
        captured = capture_patch(toy, workspace, CONFIGURED.home)
        verdict = judge(captured.patch)

    assert b"run.sh" in captured.patch and b"fsmonitor" not in captured.patch
    assert verdict.outcome == "bad_artifact"
    assert not (tmp_path / "started").exists()

    for command in (["status"], ["add", "--all"], ["diff", "HEAD"], ["commit", "--quiet", "--message=x"]):
        plain = ["git", "-c", "user.name=x", "-c", "user.email=x@localhost", *command]
        subprocess.run(plain, cwd=workspace, capture_output=True, timeout=10, check=False)
    if kind != "pager":
        assert (tmp_path / "started").exists(), "git in the tree starts it"


def _armed(toy: Task, tmp_path: Path, kind: str) -> Path:
    workspace = tmp_path / "workspace"
    make_workspace(toy, workspace, "none")
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{tmp_path / 'started'}'\ncat\n")
    program.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "post-index-change", "post-commit", "reference-transaction"):
        (hooks / name).write_text(program.read_text().removesuffix("cat\n"))
        (hooks / name).chmod(0o755)
    included = tmp_path / "included"
    included.write_text(SETTINGS["fsmonitor"].format(program=program))
    settings = SETTINGS[kind].format(program=program, hooks=hooks, included=included)
    with (workspace / ".git" / "config").open("a") as file:
        file.write(settings)
    (workspace / ".gitattributes").write_text(ATTRIBUTES)
    return workspace
