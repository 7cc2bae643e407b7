"""Workspaces as agents leave them: with a right solution inside, and with somebody who reads them and is not root."""

import os
import pickle
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from rexbench.workspace.patch import apply_to_workspace
from rexbench.workspace.tree import make_workspace

Result = TypeVar("Result")
NOBODY = 65534


def solved_workspace(task: Task, folder: Path) -> Path:
    """A workspace in which the work is done."""
    make_workspace(task, folder, "none")
    apply_to_workspace(task, task.vault.gold, folder, Bench().home)
    return folder


def as_ordinary_user(work: Callable[[], Result]) -> Result:
    """What `work` returns where permissions bind: done by whoever runs the tests, or by nobody in place of root."""

    def bound() -> Result:
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        return work()

    return in_child(bound)


def in_child(work: Callable[[], Result]) -> Result:
    """What `work` returns in a process of its own, which may give up rights and memory that this one needs."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with os.fdopen(write, "wb") as pipe:
                pickle.dump(work(), pipe)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    assert told, "it ended in an exception"
    result: Result = pickle.loads(told)
    return result
