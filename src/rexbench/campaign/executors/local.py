"""A pool of processes on this machine."""

from types import TracebackType

from rexbench.campaign.executors.needs import gpus_of
from rexbench.campaign.executors.protocol import Ended
from rexbench.campaign.gpus import leased_gpus
from rexbench.campaign.steps import Step, perform_step
from rexbench.errors import RexbenchError, SystemFault
from rexbench.workers import Workers


class Local:
    """Does steps in worker processes."""

    name = "local"

    def __init__(self, jobs: int) -> None:
        self.slots = jobs
        self._workers: Workers[Step, Ended] = Workers(attempt_step, jobs)
        self._labels: dict[Step, str] = {}

    def __enter__(self) -> "Local":
        self._workers.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._workers.__exit__(kind, error, trace)

    def submit(self, step: Step) -> None:
        self._labels[step] = step.label
        self._workers.submit(step)

    def wait(self) -> list[Ended]:
        ended = [future.result() for _, future in self._workers.wait()]
        for done in ended:
            self._labels.pop(done.step, None)
        return ended

    def running(self) -> list[str]:
        return list(self._labels.values())


def attempt_step(step: Step) -> Ended:
    """Do a step; a fault of ours, or something that the user must mend, is an answer and no crash. A bug is a crash."""
    import socket

    try:
        with leased_gpus(gpus_of(step)):
            perform_step(step)
    except SystemFault as error:
        return Ended(step, str(error), where=socket.gethostname())
    except RexbenchError as error:
        return Ended(step, str(error), permanent=True, where=socket.gethostname())
    except OSError as error:
        return Ended(step, f"{type(error).__name__}: {error}", where=socket.gethostname())
    return Ended(step, where=socket.gethostname())
