"""What runs on a cluster's node: one step, in a process of its own, that ends when it is told to.

python -m rexbench.campaign.executors.on_node    reads a step from standard input, writes how it ended to standard output
"""

import ctypes
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from types import FrameType

from pydantic import BaseModel, TypeAdapter

from rexbench.campaign.executors.ledger import write_whole
from rexbench.campaign.executors.local import attempt_step
from rexbench.campaign.executors.protocol import Ended
from rexbench.campaign.folder import Campaign
from rexbench.campaign.steps import Step

STEP = TypeAdapter(Step)


class Note(BaseModel):
    """How a step ended, as a node tells it."""

    fault: str | None = None
    permanent: bool = False
    where: str = ""

    def ended(self, step: Step) -> Ended:
        return Ended(step, self.fault, self.permanent, self.where)


def perform_on_node(step: Step, note: str) -> None:
    """Do a step as a Slurm job, and leave a note of how it ended when all else is written."""
    signal.signal(signal.SIGUSR2, signal.SIG_IGN)  # submitit would requeue the job by itself; the conductor decides about that
    ended = _attempt(step)
    write_whole(Path(note), _note(ended).model_dump_json())


def _attempt(step: Step) -> Ended:
    """Unwinds when the cluster ends the job, so that nothing half-done stays behind; clears what a killed job here has left."""
    signal.signal(signal.SIGTERM, _unwind)
    Campaign(Path(step.campaign)).sweep()
    ended = attempt_step(step)
    return replace(ended, where=os.environ.get("SLURMD_NODENAME") or ended.where)


def _note(ended: Ended) -> Note:
    return Note(fault=ended.fault, permanent=ended.permanent, where=ended.where)


def _unwind(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def main() -> None:
    """For a Dask worker: die with it, and do not take its threads, signals or memory of earlier tasks along."""
    parent = int(sys.argv[1])
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        sys.exit(1)
    print(_note(_attempt(STEP.validate_json(sys.stdin.buffer.read()))).model_dump_json())


if __name__ == "__main__":
    main()
