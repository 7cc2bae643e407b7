"""What a cluster calls on its node: one step, in a process that ends when it is told to, on a bench of the settings sent along."""

import os
import signal
import socket
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel

from rexbench.campaign.executors.attempt import Note, attempt_step
from rexbench.campaign.executors.worker import hand_over, start_worker
from rexbench.campaign.opening import open_undertaking
from rexbench.campaign.undertaking import Step
from rexbench.places import write_whole
from rexbench.settings import Settings
from rexbench.stopping import unwind_when_told
from rexbench.workbench import Workbench


class Request(BaseModel):
    """A step as it travels to a worker that was not started for it."""

    step: Step
    settings: Settings
    begun: str
    """A file that is there from the step's beginning to its end, and stays where its worker was lost."""


def perform_on_node(step: Step, settings: str, note: str) -> None:
    """Do a step as a Slurm job, and leave a note of how it ended when all else is written."""
    signal.signal(signal.SIGUSR2, signal.SIG_IGN)  # submitit would requeue the job by itself; the conductor decides about that
    unwind_when_told()
    bench = Workbench(Settings.model_validate_json(settings).at_edge(os.environ))
    open_undertaking(Path(step.folder)).sweep()  # what a killed job here has left
    write_whole(Path(note), attempt_step(step, bench).model_dump_json())


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
    process = start_worker(asked.settings.at_edge(os.environ))
    with suppress(BrokenPipeError):
        hand_over(process, asked.step)
    told, _ = process.communicate()
    begun.unlink(missing_ok=True)
    if told.endswith(b"\n"):
        return told.decode()
    return Note(fault=f"the step's process ended with {process.returncode}", where=here).model_dump_json()
