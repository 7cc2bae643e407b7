"""Worker processes on this machine: they end with the program, leave Ctrl-C to it, and unwind when told to stop."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from types import TracebackType
from typing import Generic, TypeVar

from rexbench.errors import SystemFault
from rexbench.stopping import end_with_parent, leave_if_told, unwind_when_told

Item = TypeVar("Item")
Result = TypeVar("Result")


class Workers(Generic[Item, Result]):
    """Does one kind of work on many items with a fixed number of processes; a context manager."""

    def __init__(self, work: Callable[[Item], Result], count: int) -> None:
        self._work, self.count = work, max(1, count)
        self._running: dict[Future[Result], Item] = {}

    def __enter__(self) -> "Workers[Item, Result]":
        os.environ["PYTHONSAFEPATH"] = "1"  # a worker started inside somebody's workspace must import nothing from it
        self._pool = ProcessPoolExecutor(self.count, get_context("spawn"), _prepare_worker, (os.getpid(),))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for process in list((self._pool._processes or {}).values()):
            if kind is not None and process.pid:
                os.kill(process.pid, signal.SIGTERM)
        self._pool.shutdown(wait=True, cancel_futures=True)

    @property
    def busy(self) -> int:
        return len(self._running)

    def submit(self, item: Item) -> None:
        self._running[self._submit(item)] = item

    def _submit(self, item: Item) -> Future[Result]:
        try:
            return self._pool.submit(_do_or_end, self._work, item)
        except BrokenProcessPool as error:
            raise _killed() from error

    def wait(self) -> list[tuple[Item, Future[Result]]]:
        """What has finished since the last call; waits for one. An item's own exception is in its future."""
        done = wait(self._running, return_when=FIRST_COMPLETED).done if self._running else set()
        finished = [(self._running.pop(future), future) for future in done]
        if any(isinstance(future.exception(), BrokenProcessPool) for _, future in finished):
            raise _killed()
        return finished


def _killed() -> SystemFault:
    return SystemFault("A worker process was killed from outside; what was finished is kept, run the same command again.")


def _prepare_worker(parent: int) -> None:
    """A worker ends with its parent, leaves Ctrl-C to it, and unwinds on SIGTERM so that nothing half-done stays behind."""
    end_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    unwind_when_told()


def _do_or_end(work: Callable[[Item], Result], item: Item) -> Result:
    """Do the work; told to stop, unwind and end, since the pool would take the exit for an answer and wait for this process."""
    try:
        leave_if_told()
        result = work(item)
        leave_if_told()
        return result
    except SystemExit as stop:
        os._exit(stop.code if isinstance(stop.code, int) else 1)
