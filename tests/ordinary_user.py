"""Doing something as an ordinary user, who has no control groups and gets a sandbox through a user namespace only."""

import os
import pickle
import shutil
import signal
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from rexbench.environment.build import Environment
from rexbench.sandbox import bubblewrap, bubblewrap_arguments
from rexbench.sandbox.protocol import Job, ResourceLimits

NOBODY = 65534
Told = TypeVar("Told")


@contextmanager
def folder_of_nobody() -> Iterator[Path]:
    """A folder that an ordinary user may reach and write to; those of the tests belong to whoever runs them."""
    folder = Path(tempfile.mkdtemp(prefix="rexbench-ordinary-"))
    try:
        folder.chmod(0o755)
        (folder / "tree").mkdir()
        if os.getuid() == 0:
            os.chown(folder / "tree", NOBODY, NOBODY)
        yield folder / "tree"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def as_nobody(work: Callable[[], Told]) -> Told:
    """What `work` returns in a process of its own that has given up being root, if it was."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(read)
            signal.alarm(240)
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            os.environ["REXBENCH_HOME"] = "/nowhere"
            for asked in (bubblewrap._missing, bubblewrap_arguments.nproc_holds):
                asked.cache_clear()
            with os.fdopen(write, "wb") as pipe:
                pipe.write(pickle.dumps(work()))
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        told = pipe.read()
    assert os.waitpid(child, 0)[1] == 0 and told, "the work failed"
    answer: Told = pickle.loads(told)
    return answer


def plain_job(command: str, tree: Path, cpu_seconds: float = 20) -> Job:
    """A job with the system's own python3, which every user can read."""
    system = Environment("base", "", Path("/usr"), Path("/usr"))
    return Job(command, tree, system, ResourceLimits(cpu_seconds, 300, 64, 64, 4))
