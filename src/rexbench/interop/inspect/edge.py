"""Where Inspect calls us: the bench of this process's environment, and what a sample is about."""

import os
from typing import Any

from rexbench.settings import read_settings
from rexbench.task.folder import HintLevel, Task, hint_level
from rexbench.workbench import Workbench

TASK, HINTS = "rexbench_task", "rexbench_hints"
"""Keys of a sample's metadata."""


def open_bench() -> Workbench:
    """The bench that `REXBENCH_HOME` and `REXBENCH_TASKS` name."""
    return Workbench(read_settings(os.environ))


def of_sample(metadata: dict[str, Any], bench: Workbench) -> tuple[Task, HintLevel]:
    """The task and the hint level of a sample."""
    return bench.suite.load(str(metadata[TASK])), hint_level(str(metadata[HINTS]))
