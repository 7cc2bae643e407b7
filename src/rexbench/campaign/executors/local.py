"""Worker processes on this machine, each with a step at a time. A killed worker costs its own step, which is told as a fault."""

import os
import selectors
import signal
import socket
import subprocess
from contextlib import suppress

from rexbench.campaign.executors.attempt import Note
from rexbench.campaign.executors.protocol import Ended, UnderWay
from rexbench.campaign.executors.worker import hand_over, start_worker
from rexbench.campaign.undertaking import Step, Undertaking
from rexbench.workbench import Workbench

KILLED = "a worker process was killed from outside"


class Local:
    """Does steps in worker processes."""

    name = "local"

    def __init__(self, jobs: int) -> None:
        self.slots = max(1, jobs)
        self._idle: list[subprocess.Popen[bytes]] = []
        self._busy: dict[subprocess.Popen[bytes], Step] = {}
        self._lost: list[Ended] = []

    def begin(self, bench: Workbench) -> None:
        self._settings = bench.settings

    def end(self, error: BaseException | None) -> None:
        """Workers end by themselves once they are asked nothing more; where something went wrong they are told to stop at once."""
        for worker in (*self._idle, *self._busy):
            if error is not None and worker.poll() is None:
                os.kill(worker.pid, signal.SIGTERM)
            _close(worker)
        self._idle, self._busy, self._lost = [], {}, []

    def submit(self, step: Step, undertaking: Undertaking) -> None:
        worker = self._idle.pop() if self._idle else start_worker(self._settings)
        try:
            hand_over(worker, step)
        except BrokenPipeError:
            self._lost.append(self._killed(step, worker))
        else:
            self._busy[worker] = step

    def wait(self) -> list[Ended]:
        if self._lost:
            ended, self._lost = self._lost, []
            return ended
        with selectors.DefaultSelector() as selector:
            for worker in self._busy:
                assert worker.stdout
                selector.register(worker.stdout, selectors.EVENT_READ, worker)
            ready = [key.data for key, _ in selector.select()]
        return [self._answer(worker) for worker in ready]

    def running(self) -> list[UnderWay]:
        return [UnderWay(step.label, socket.gethostname()) for step in self._busy.values()]

    def _answer(self, worker: subprocess.Popen[bytes]) -> Ended:
        assert worker.stdout
        step, line = self._busy.pop(worker), worker.stdout.readline()
        if not line.endswith(b"\n"):
            return self._killed(step, worker)
        self._idle.append(worker)
        return Note.model_validate_json(line).ended(step)

    def _killed(self, step: Step, worker: subprocess.Popen[bytes]) -> Ended:
        _close(worker)
        return Ended(step, f"{KILLED} (status {worker.returncode})", where=socket.gethostname())


def _close(worker: subprocess.Popen[bytes]) -> None:
    assert worker.stdin and worker.stdout
    with suppress(BrokenPipeError):
        worker.stdin.close()
    worker.wait()
    worker.stdout.close()
