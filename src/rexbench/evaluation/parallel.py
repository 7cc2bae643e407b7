"""Many evaluations at once on this machine."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rexbench.evaluation.evaluate import evaluate, live_gold
from rexbench.evaluation.execute import Bench, execute
from rexbench.places import home, sweep_scratch
from rexbench.record.model import Evaluation, Execution
from rexbench.record.store import Store
from rexbench.sandbox.choose import choose_sandbox
from rexbench.task.folder import Task, load_task
from rexbench.workers import Workers


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
    """Do all the work with `jobs` workers; results in the order of `works`. A killed worker ends it; what was done is on record."""
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
    with Workers(_perform_numbered, min(jobs, len(works))) as workers:
        while waiting or workers.busy:
            while waiting and workers.busy < jobs:
                item = waiting.pop()
                started(item[1])
                workers.submit(item)
            for (at, work), future in workers.wait():
                results[at] = future.result()
                done(work, results[at])
    return [results[at] for at in range(len(works))]


def _perform_numbered(item: tuple[int, Work]) -> Evaluation | Execution:
    return perform(item[1])


@lru_cache(maxsize=64)
def _task(name: str) -> Task:
    return load_task(name)
