"""`python`, `bash`, `git` and `curl` of the patch's own stand in the tree and on the path, waiting for a grader to call them."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.task.folder import Task
from tests.attacks.conftest import Judge
from tests.attacks.scene import canary, host_untouched

NAMES = ("python", "python3", "bash", "sh", "git", "curl", "pip", "bwrap", "prlimit")
SPREAD = """
# The system folders are tried inside the sandbox alone: the careless run below must not harm the machine that runs the tests.
[ "$PWD" = /workspace ] && for folder in /usr/local/bin /usr/bin /bin /opt/rexbench-environment/bin; do
  cp git "$folder/git" 2>/dev/null && echo "written: $folder"
done
mkdir -p ~/bin ~/.local/bin && cp git ~/bin/git && cp git ~/.local/bin/python
echo 'export PATH=$HOME/bin:$PATH' | tee ~/.bashrc ~/.profile ~/.bash_profile > /dev/null
"""


def test_commands_in_the_tree_are_never_called_by_the_host(
    toy: Task,
    judge: Judge,
    logs: Callable[..., str],
    patch_of: Callable[..., bytes],
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]],
    careless_tree: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = canary(tmp_path)
    trojan = f"#!/bin/sh\necho trojan\necho touched > '{file}'\n"
    patch = patch_of({"run.sh": SPREAD, **dict.fromkeys(NAMES, trojan)}, dict.fromkeys(NAMES, b"100755"))

    with host_untouched(tmp_path):
        verdict = judge(patch)
        gold = judge(toy.vault.gold)

    assert verdict.outcome == "bad_artifact"
    assert "written:" not in logs(verdict)
    assert gold.outcome == "success", "the run after the trojans used one of them"
    assert file.read_text() == "untouched"

    unprotected(patch)
    monkeypatch.setenv("PATH", f"{careless_tree}:{os.environ['PATH']}")
    assert subprocess.run(["git", "status"], capture_output=True, text=True, check=False).stdout == "trojan\n"
    assert file.read_text() == "touched\n"
