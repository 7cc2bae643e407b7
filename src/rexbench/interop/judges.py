"""Verdicts for a program of many threads: each is made in a worker process, which stays for the next.

The path is that of `Bench.evaluate`: references first, then the patch, faults of ours tried again. As many are made at a time as
there are workers, however many are asked for.
"""

import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from rexbench.campaign.executors.local import Local
from rexbench.campaign.trials import Wanted, make_trials, references
from rexbench.errors import SystemFault
from rexbench.evaluation.evaluate import Verdict, combine
from rexbench.record.model import Evaluation
from rexbench.task.folder import Task
from rexbench.workbench import Workbench


class Judges:
    """Workers that judge patches."""

    def __init__(self, bench: Workbench, at_once: int) -> None:
        self._bench = bench
        # A worker ends with the thread that started it: these live as long as the program.
        self._threads = ThreadPoolExecutor(max(1, at_once), "rexbench-judge")
        self._own = threading.local()

    def judge(self, task: Task, patch: bytes, seeds: Sequence[int]) -> "Future[Verdict]":
        """A patch's verdict; a fault of ours is raised."""
        return self._threads.submit(self._judge, task, patch, tuple(seeds))

    def _judge(self, task: Task, patch: bytes, seeds: tuple[int, ...]) -> Verdict:
        worker = self._own.__dict__.setdefault("worker", Staying(1))
        wanted = [*references("live gold", task, seeds), *(Wanted("the patch", task, seed, patch) for seed in seeds)]
        made = make_trials(wanted, self._bench, worker, lambda event: None)
        verdict = combine(task.id, [result for result in made if isinstance(result, Evaluation)])
        if verdict.outcome == "system_fault":
            raise SystemFault(verdict.first.detail)
        return verdict


class Staying(Local):
    """Workers that are not sent home when their work is done; they end with the thread that had it done."""

    def end(self, error: BaseException | None) -> None:
        if error is not None:
            super().end(error)
