"""Many evaluations at once on this machine: worker processes that die with the program and clean up when told to stop."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from types import FrameType

from rexbench.errors import SystemFault
from rexbench.evaluation.evaluate import evaluate, live_gold
from rexbench.evaluation.execute import Bench, execute
from rexbench.places import home, sweep_scratch
from rexbench.record.model import Evaluation, Execution
from rexbench.record.store import Store
from rexbench.sandbox.choose import choose_sandbox
from rexbench.task.folder import Task, load_task


@dataclass(frozen=True)
class Work:
    """One piece of work: an evaluation of a patch; its execution alone; or live gold, where there is no patch."""

    task: str
    """Name or folder of the task."""
    label: str
    """What progress calls it."""
    patch: bytes | None
    seed: int
    training_seed: int | None = None
    compared: bool = True
    """Whether the execution is compared with live gold."""
    sandbox: str = "bubblewrap"
    unsafe: bool = False
    fresh: bool = False


Done = Callable[[Work, Evaluation | Execution], None]


def perform(work: Work) -> Evaluation | Execution:
    """Do one piece of work in this process."""
    bench = Bench(Store(home()), choose_sandbox(work.sandbox, work.unsafe), work.fresh)
    task = _task(work.task)
    if work.patch is None:
        return live_gold(task, work.seed, bench)
    if not work.compared:
        return execute(task, work.patch, work.seed, bench, training_seed=work.training_seed)
    return evaluate(task, work.patch, work.seed, bench, work.training_seed)


def perform_all(works: Sequence[Work], jobs: int, started: Callable[[Work], None], done: Done) -> list[Evaluation | Execution]:
    """Do all the work with `jobs` workers; results in the order of `works`. A killed worker costs its own work, never the rest."""
    sweep_scratch(str(home()))  # also where every answer is on record already and no execution would sweep
    if jobs <= 1:
        results = []
        for work in works:
            started(work)
            results.append(perform(work))
            done(work, results[-1])
        return results
    return _in_pool(works, jobs, started, done)


def _in_pool(works: Sequence[Work], jobs: int, started: Callable[[Work], None], done: Done) -> list[Evaluation | Execution]:
    results: dict[int, Evaluation | Execution] = {}
    waiting = list(enumerate(works))
    waiting.reverse()
    os.environ["PYTHONSAFEPATH"] = "1"  # a worker started inside somebody's workspace must import nothing from it
    pool = ProcessPoolExecutor(min(jobs, len(works)) or 1, get_context("spawn"), _prepare_worker, (os.getpid(),))
    running: dict[Future[Evaluation | Execution], int] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                at, work = waiting.pop()
                started(work)
                running[pool.submit(perform, work)] = at
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                at = running.pop(future)
                results[at] = future.result()
                done(works[at], results[at])
    except BrokenProcessPool as error:
        raise SystemFault(
            "A worker process was killed from outside; what was finished is kept, run the same command again."
        ) from error
    finally:
        for process in list((pool._processes or {}).values()):
            if sys.exc_info()[0] is not None and process.pid:
                os.kill(process.pid, signal.SIGTERM)
        pool.shutdown(wait=True, cancel_futures=True)
    return [results[at] for at in range(len(works))]


@lru_cache(maxsize=64)
def _task(name: str) -> Task:
    return load_task(name)


def _prepare_worker(parent: int) -> None:
    """A worker ends with its parent, leaves Ctrl-C to it, and unwinds on SIGTERM so that nothing half-done stays behind."""
    _die_with_parent()
    if os.getppid() != parent:
        os._exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _unwind)


def _unwind(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
