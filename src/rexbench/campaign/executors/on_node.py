"""What runs on a cluster's node: one step, in a process of its own, that ends when it is told to.

python -m rexbench.campaign.executors.on_node PARENT    a step on standard input; how it ended on standard output
"""

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, TypeAdapter

from rexbench.campaign.executors.local import attempt_step
from rexbench.campaign.executors.protocol import Ended
from rexbench.campaign.folder import Campaign
from rexbench.campaign.steps import Step
from rexbench.places import write_whole
from rexbench.stopping import end_with_parent, unwind_when_told

_STEP = TypeAdapter(Step)


class Note(BaseModel):
    """How a step ended, as a node tells it."""

    fault: str | None = None
    permanent: bool = False
    where: str = ""

    def ended(self, step: Step) -> Ended:
        return Ended(step, self.fault, self.permanent, self.where)


class Request(BaseModel):
    """A step as it travels to a worker that was not started for this campaign."""

    step: Step
    begun: str
    """A file that is there from the step's beginning to its end, and stays where its worker was lost."""
    home: str
    tasks: str


def perform_on_node(step: Step, note: str) -> None:
    """Do a step as a Slurm job, and leave a note of how it ended when all else is written."""
    signal.signal(signal.SIGUSR2, signal.SIG_IGN)  # submitit would requeue the job by itself; the conductor decides about that
    ended = _attempt(step)
    write_whole(Path(note), _note(ended).model_dump_json())


def perform_in_process(request: str) -> str:
    """Do a step for a Dask worker: a process of its own dies with the worker and knows nothing of other tasks and campaigns."""
    asked = Request.model_validate_json(request)
    begun, here = Path(asked.begun), socket.gethostname()
    try:
        with begun.open("x") as file:
            file.write(here)
    except FileExistsError:  # another worker had begun and was lost: the next one who asks begins anew
        before = begun.read_text()
        begun.unlink(missing_ok=True)
        return Note(fault=f"the worker on {before or 'another node'} that had begun it was lost", where=before).model_dump_json()
    except OSError as error:
        with suppress(OSError):
            begun.unlink()  # on a full disk it may be there and empty
        return Note(fault=f"{type(error).__name__}: {error}", where=here).model_dump_json()
    variables = os.environ | {"REXBENCH_HOME": asked.home, "REXBENCH_TASKS": asked.tasks, "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-m", "rexbench.campaign.executors.on_node", str(os.getpid())]
    done = subprocess.run(command, input=_STEP.dump_json(asked.step), capture_output=True, check=False, env=variables)
    begun.unlink(missing_ok=True)
    if done.returncode == 0:
        return done.stdout.decode()
    words = done.stderr.decode(errors="replace").strip().splitlines()
    told = f"the step's process ended with {done.returncode}{f': {words[-1][:300]}' if words else ''}"
    return Note(fault=told, where=here).model_dump_json()


def _attempt(step: Step) -> Ended:
    """Unwinds when the cluster ends the job, so that nothing half-done stays behind; clears what a killed job here has left."""
    unwind_when_told()
    Campaign(Path(step.campaign)).sweep()
    ended = attempt_step(step)
    return replace(ended, where=os.environ.get("SLURMD_NODENAME") or ended.where)


def _note(ended: Ended) -> Note:
    return Note(fault=ended.fault, permanent=ended.permanent, where=ended.where)


def main() -> None:
    end_with_parent(int(sys.argv[1]))
    print(_note(_attempt(_STEP.validate_json(sys.stdin.buffer.read()))).model_dump_json())


if __name__ == "__main__":
    main()
