"""What steps may need of a machine at most, and whether a slow network file system shows yet what they wrote."""

import math
import os
from contextlib import suppress
from pathlib import Path

from rexbench.campaign.undertaking import Needs
from rexbench.evaluation.execute import REFERENCE_FACTOR
from rexbench.sandbox.protocol import wall_backstop
from rexbench.task.folder import Task

SLACK_MINUTES = 10
"""For what stands around an agent or an experiment: workspace, gateway, waiting for live gold's lock, slow disks."""
SLACK_MB = 1024
"""For our own process beside the sandbox."""


def evaluation_needs(task: Task, evaluations: int) -> Needs:
    """Every variant to its limit, with the runs of live gold and, where it is needed, of the unchanged repository beside it, and
    with their guards. Limits are CPU time: a run that is kept from computing may take as long as the clock's backstop."""
    spec = task.spec
    runs = (2 + spec.needs_base) * (1 + len(spec.guards))
    seconds = runs * evaluations * wall_backstop(REFERENCE_FACTOR * spec.limits.seconds)
    return Needs(math.ceil(seconds / 60) + SLACK_MINUTES, task.spec.limits.memory_mb + SLACK_MB, task.spec.limits.gpus)


def largest(needed: list[Needs]) -> Needs:
    """What all of these could do with."""
    return Needs(*(max(getattr(needs, name) for needs in needed) for name in ("minutes", "memory_mb", "gpus")))


def looked_at_anew(root: Path, target: Path) -> bool:
    """List the folders on the way from one to the other; False where one is missing.

    A network file system remembers for up to a minute that a name was not there; listing makes it look.
    """
    for folder in reversed((target, *target.parents)):
        if folder.is_relative_to(root):
            with suppress(OSError):
                os.listdir(folder)
                continue
            return False
    return True
