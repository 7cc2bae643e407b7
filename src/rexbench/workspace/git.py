"""Git as a tool of ours: no user or system config, no hooks, no prompts, no lookup of a repository above the folder.

A git that is missing, cannot be started or is ended by a signal that nobody here sent is a fault of ours, whatever it was
working on. Only the signals of the bounds that are set here tell of the work itself.
"""

import os
import resource
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from rexbench.errors import SystemFault

OUT_OF_BOUNDS = (-signal.SIGXCPU, -signal.SIGXFSZ)
"""Exit statuses of a git that used up what it is given: the work was too much."""
CPU_SECONDS = 3
MEMORY = 2 * 2**30
LARGEST_FILE = 64 * 2**20
_INSTALL = "install it with your system's package manager."


def _bound(process: int, cpu_seconds: int) -> None:
    """Bounds from outside, which cost no program in between; git meets them before it has read what it is to work on."""
    wanted = (
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, LARGEST_FILE),
        (resource.RLIMIT_CORE, 0),
    )
    with suppress(ProcessLookupError):  # one that has ended already
        for kind, most in wanted:
            ceiling = resource.getrlimit(kind)[1]  # what this user may have at most: asking for more would fail
            bounds = (most, most + 1) if ceiling == resource.RLIM_INFINITY else (min(most, ceiling), min(most + 1, ceiling))
            resource.prlimit(process, kind, bounds)


def run_git(
    *arguments: str, cwd: Path, stdin: bytes = b"", git_dir: Path | None = None, cpu_seconds: int = CPU_SECONDS
) -> subprocess.CompletedProcess[bytes]:
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
    settings = ("core.hooksPath=/dev/null", "core.fsmonitor=false", "core.quotePath=false")
    command = ["git", *(part for setting in settings for part in ("-c", setting)), *arguments]
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(command, cwd=cwd, stdin=pipe, stdout=pipe, stderr=pipe, env=variables)
    except OSError as error:
        raise SystemFault(f"git cannot be started ({error.strerror}); {_INSTALL}") from error
    with process:
        try:
            # Patches come from anywhere: one that keeps git busy, or unpacks to gigabytes, ends by these bounds.
            _bound(process.pid, cpu_seconds)
            out, complaint = process.communicate(stdin)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(command, process.returncode, out, complaint)
    if done.returncode in (126, 127):  # as the dynamic linker says it
        raise SystemFault(f"git cannot be started; {_INSTALL}")
    if done.returncode < 0 and done.returncode not in OUT_OF_BOUNDS:
        raise SystemFault(f"git {arguments[0]} was ended by signal {-done.returncode}, which was not sent from here.")
    return done
