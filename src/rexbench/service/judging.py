"""The judge: takes one submission after the other and has a bench judge it, as a campaign in a folder of the home.

One judge works in a home, whoever holds its lock; another one waits for it. Killed at any moment, the next one goes on: the folder
holds the verdicts that there are, and a submission is published by the transaction that ends its lease.
"""

import sys
import threading
import traceback
from pathlib import Path

from filelock import Timeout
from sqlalchemy.exc import SQLAlchemyError

from rexbench.api.bench import Bench
from rexbench.campaign.executors.protocol import Executor
from rexbench.campaign.folder import Campaign
from rexbench.digest import digest_value
from rexbench.errors import RexbenchError
from rexbench.interop.judged import campaign_of
from rexbench.interop.submission import read_submission
from rexbench.interop.told import with_told
from rexbench.places import remove_tree
from rexbench.service.archives import Archives
from rexbench.service.database import Database
from rexbench.service.queue import publish, put_back, take, take_back
from rexbench.service.tables import Submission
from rexbench.task.folder import Task
from rexbench.task.variants import choose_seeds

_LOOK_SECONDS = 0.5
_LEAVE_SECONDS = 5.0


class Changed(RexbenchError):
    """A task is not what it was when the season began: trying again cannot help."""


class Judge(threading.Thread):
    """Judges what is in the queue for as long as the program lives."""

    def __init__(self, bench: Bench, database: Database, executor: Executor) -> None:
        super().__init__(name="rexbench-service-judge", daemon=True)
        self._bench, self._database, self._executor = bench, database, executor
        self._archives = Archives(bench.home)
        self._ended = threading.Event()

    def end(self) -> None:
        """No further submission is taken up. The one at hand has a while; the next judge goes on with it."""
        self._ended.set()
        self.join(_LEAVE_SECONDS)

    def run(self) -> None:
        lock = self._bench.home.lock("service-judge")
        while not self._ended.is_set():
            try:
                with lock.acquire(timeout=0):
                    self._work()
            except Timeout:
                self._ended.wait(_LOOK_SECONDS)
            except SQLAlchemyError:  # the database is away for a while; everybody is told, and nothing is lost
                traceback.print_exc(file=sys.stderr)
                self._ended.wait(10 * _LOOK_SECONDS)

    def _work(self) -> None:
        for draft in judged_folder(self._bench).glob(".*"):
            remove_tree(draft)
        take_back(self._database)
        while not self._ended.is_set():
            taken = take(self._database)
            if taken is None:
                self._ended.wait(_LOOK_SECONDS)
                continue
            try:
                publish(self._database, taken, self._judge(taken))
            except Changed as error:
                put_back(self._database, taken, str(error), for_good=True)
            except (RexbenchError, OSError) as error:
                put_back(self._database, taken, str(error))
            except SQLAlchemyError:
                raise
            except Exception as error:  # a bug of ours is shown, and must not keep everybody else's submissions waiting
                traceback.print_exc(file=sys.stderr)
                put_back(self._database, taken, f"{type(error).__name__}: {error}")

    def _judge(self, taken: Submission) -> str:
        """Judge what is not judged yet; says what came out."""
        folder = judged_folder(self._bench, taken)
        campaign = Campaign.open(folder) if folder.exists() else self._campaign(taken, folder)
        progress = self._bench.conduct(campaign, self._executor).progress
        if progress is None or progress.done < progress.total:
            faults = progress.given_up.values() if progress else ()
            raise RexbenchError(next(iter(faults), "some runs have no verdict"))
        return ", ".join(f"{outcome} {count}" for outcome, count in sorted(progress.outcomes.items()))

    def _campaign(self, taken: Submission, folder: Path) -> Campaign:
        archive = self._archives.path(taken.digest)
        patches = with_told(archive, read_submission(archive))
        tasks = [self._task(name, taken) for name in sorted({one.task for one in patches})]
        seeds = {task.id: choose_seeds(task, None, taken.season.seed, b"") for task in tasks}
        return campaign_of(patches, tasks, seeds, folder, self._bench)

    def _task(self, name: str, taken: Submission) -> Task:
        task = self._bench.task(name)
        if task.digest != taken.season.tasks[name]["digest"]:
            raise Changed(f"The task {name} has changed since the season {taken.season.name} began.")
        return task


def judged_folder(bench: Bench, submission: Submission | None = None) -> Path:
    """Where a submission's campaign is, or those of all. Its name is of this season of this database and of no other."""
    folder = bench.home.make("service", "judged")
    if submission is None:
        return folder
    return folder / f"{submission.id}-{digest_value([submission.season.nonce, submission.account_id, submission.digest])[:12]}"
