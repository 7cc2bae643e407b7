"""Git as a tool of ours: no user or system config, no hooks, no prompts, no lookup of a repository above the folder."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from rexbench.errors import SystemFault

CPU_SECONDS = 3
MEMORY = 2 * 2**30
LARGEST_FILE = 64 * 2**20


@cache
def _bounds() -> tuple[str, ...]:
    if not shutil.which("prlimit"):
        return ()
    return ("prlimit", f"--cpu={CPU_SECONDS}", f"--as={MEMORY}", f"--fsize={LARGEST_FILE}", "--core=0", "--")


def run_git(*arguments: str, cwd: Path, stdin: bytes = b"", git_dir: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    """Run git with nothing but what is given here; the caller looks at the exit status."""
    variables = {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "HOME": "/nonexistent",
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CEILING_DIRECTORIES": str(cwd.parent),
        # Where no git directory is given there must be none: git then works on plain files and reads no config.
        "GIT_DIR": str(git_dir or cwd.parent / "no-git-directory"),
        "GIT_AUTHOR_NAME": "rexbench",
        "GIT_AUTHOR_EMAIL": "rexbench@localhost",
        "GIT_COMMITTER_NAME": "rexbench",
        "GIT_COMMITTER_EMAIL": "rexbench@localhost",
        "GIT_AUTHOR_DATE": "2000-01-01T00:00:00Z",
        "GIT_COMMITTER_DATE": "2000-01-01T00:00:00Z",
    }
    command = [
        *_bounds(),
        "git",
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.quotePath=false",
        *arguments,
    ]
    try:
        # Patches come from anywhere: one that keeps git busy, or unpacks to gigabytes, ends by these bounds.
        return subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, env=variables, check=False)
    except FileNotFoundError as error:
        raise SystemFault("git is not installed; install it with your system's package manager.") from error
