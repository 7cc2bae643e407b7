"""Variables and dot files that load code (LD_PRELOAD, BASH_ENV, PYTHONSTARTUP, ~/.bashrc, .pth) are left for the next run."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

PERSIST = """
hook='echo hook-ran'
for file in .bashrc .profile .bash_profile .bash_env .pythonrc .gitconfig; do echo "$hook" > ~/$file; done
mkdir -p ~/.local/lib/python3.11/site-packages
echo 'import sys; print("hook-ran")' > ~/.local/lib/python3.11/site-packages/hook.pth
BASH_ENV=~/.bash_env bash -c 'echo first'
export BASH_ENV=~/.bash_env LD_PRELOAD=~/hook.so PYTHONSTARTUP=~/.pythonrc
echo hook-ran > /dev/shm/left; echo hook-ran > /tmp/left
"""
LOOK = """
env | grep -E '^(LD_|BASH_ENV|ENV|PYTHONSTARTUP|PYTHONPATH|REXBENCH|SECRET)' || echo 'no variables'
echo "home: $(ls -A ~)" "tmp: $(ls -A /tmp /dev/shm)"
bash -lic 'python -c "print(42)"' 2>/dev/null
"""


def test_nothing_that_loads_code_is_handed_to_the_next_run(
    judge: Judge, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": PERSIST}))
        next_one = judge(patch_of({"run.sh": LOOK}))

    assert verdict.outcome == next_one.outcome == "bad_artifact"
    assert "hook-ran\nfirst" in logs(verdict), "within its own run the hook works"
    assert logs(next_one).startswith("no variables\nhome:  tmp: /dev/shm:")
    assert "hook-ran" not in logs(next_one) and "left" not in logs(next_one) and "42" in logs(next_one)


def test_the_variables_of_the_host_do_not_reach_the_experiment(
    judge: Judge, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    startup = tmp_path / "startup.sh"
    startup.write_text("echo hook-ran\n")
    monkeypatch.setenv("BASH_ENV", str(startup))
    monkeypatch.setenv("SECRET_KEY", "of-the-host")

    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": "env\n"}))

    assert verdict.outcome == "bad_artifact"
    assert "of-the-host" not in logs(verdict) and "hook-ran" not in logs(verdict) and str(tmp_path) not in logs(verdict)

    in_the_open = subprocess.run(["bash", "-c", "env"], capture_output=True, text=True, check=True).stdout
    assert "hook-ran" in in_the_open and "of-the-host" in in_the_open
