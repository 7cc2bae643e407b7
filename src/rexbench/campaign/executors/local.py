"""A pool of processes on this machine."""

import socket
import traceback
from concurrent.futures import Future
from types import TracebackType

from rexbench.campaign.executors.needs import gpus_of
from rexbench.campaign.executors.protocol import Ended, UnderWay
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
        self._lost: list[Ended] = []
        """Steps that went with a killed pool and are not told yet."""

    def __enter__(self) -> "Local":
        self._workers.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._workers.__exit__(kind, error, trace)

    def submit(self, step: Step) -> None:
        try:
            self._workers.submit(step)
        except SystemFault as error:
            self._lost += self._start_anew(str(error))
            self._workers.submit(step)
        self._labels[step] = step.label

    def wait(self) -> list[Ended]:
        if self._lost:
            ended, self._lost = self._lost, []
            return ended
        try:
            ended = [_outcome(step, future) for step, future in self._workers.wait()]
        except SystemFault as error:
            ended = self._start_anew(str(error))
        for done in ended:
            self._labels.pop(done.step, None)
        return ended

    def _start_anew(self, fault: str) -> list[Ended]:
        """A killed worker takes its pool with it: every step in flight has that fault, and the next ones find a new pool."""
        self._workers.__exit__(None, None, None)
        self._workers = Workers(attempt_step, self.slots)
        self._workers.__enter__()
        lost = [Ended(step, fault, where=socket.gethostname()) for step in self._labels]
        self._labels.clear()
        return lost

    def running(self) -> list[UnderWay]:
        return [UnderWay(label, socket.gethostname()) for label in self._labels.values()]


def _outcome(step: Step, future: Future[Ended]) -> Ended:
    """How a step ended; a bug of ours is shown in full and costs its own run, never the others."""
    error = future.exception()
    if error is None:
        return future.result()
    traceback.print_exception(error)
    return Ended(step, f"a bug of rexbench: {type(error).__name__}: {error}", permanent=True, where=socket.gethostname())


def attempt_step(step: Step) -> Ended:
    """Do a step; a fault of ours, or something that the user must mend, is an answer and no crash. A bug is a crash."""
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
