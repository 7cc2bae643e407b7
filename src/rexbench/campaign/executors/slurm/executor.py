"""A Slurm cluster, through submitit: one job per step, given out as arrays.

Steps that the conductor hands over together and that need the same go out as one array (submitit's `batch`): one call of sbatch
for hundreds of jobs. Everything that a job learns is in the undertaking's folder; a note under `.slurm/ended` says that it is over.
`squeue` is asked only for what a job cannot tell itself: that it waits, where it runs, that it was cancelled, preempted,
requeued, timed out or lost with its node. Each of these is a fault for the conductor to try again, in a new job.

Jobs go on without the program that gave them out. The ledger, and the token that each job carries as its comment, let the next
one find them. A job that Slurm puts back into its queue while nobody watches simply runs again, and finds done what was done.
"""

import secrets
import sys
import time
from contextlib import suppress

from rexbench.campaign.executors.ledger import Entry, Which, which
from rexbench.campaign.executors.on_node import perform_on_node
from rexbench.campaign.executors.protocol import Ended, UnderWay
from rexbench.campaign.executors.slurm.options import job_parameters
from rexbench.campaign.executors.slurm.queue import Seen, look
from rexbench.campaign.executors.slurm.submission import require_submitit, submit_calls
from rexbench.campaign.executors.slurm.traces import Traces, place_of
from rexbench.campaign.executors.slurm.watch import SILENCE_SECONDS, Watch
from rexbench.campaign.undertaking import Needs, Step, Undertaking
from rexbench.errors import RexbenchError, SystemFault
from rexbench.workbench import Workbench

MAX_ARRAY = 500
"""Jobs in one array; clusters refuse above their MaxArraySize, which is 1001 by default."""
_TICK = 0.2


class Slurm:
    """Does steps as jobs of a Slurm cluster."""

    name = "slurm"

    def __init__(self, options: dict[str, str], max_jobs: int) -> None:
        require_submitit()
        self.slots = max_jobs
        self._options = options
        self._accepted = 0.0
        self._start_anew()

    def _start_anew(self) -> None:
        """Know nothing of any undertaking: the one at hand may not be the first, nor the last have ended well."""
        self._fresh: list[Step] = []
        self._over: list[Ended] = []
        self._adoptable: dict[Which, tuple[str, str]] = {}
        self._tokens: set[str] = set()
        self._accepted = time.monotonic() if self._accepted else 0.0  # options that were right stay right
        self._later = self._pause = 0.0
        self._watch: Watch | None = None

    def begin(self, bench: Workbench) -> None:
        self._start_anew()
        self._bench = bench

    def end(self, error: BaseException | None) -> None:
        if error is not None and self._watch:
            left = f"rexbench: {len(self._watch)} jobs go on in Slurm; --resume takes them up, "
            print(f"{left}scancel --name={self._traces.name} ends them.", file=sys.stderr)

    def submit(self, step: Step, undertaking: Undertaking) -> None:
        if self._watch is None:
            self._watch = self._take_up(undertaking)
        found = self._adoptable.pop(which(step), None)
        if found:
            self._watch.add(found[0], step, found[1])
        else:
            self._fresh.append(step)

    def running(self) -> list[UnderWay]:
        return [*(self._watch.running() if self._watch else []), *(UnderWay(step.label) for step in self._fresh)]

    def wait(self) -> list[Ended]:
        assert self._watch is not None
        self._give_out()
        deadline = time.monotonic() + 1.0
        while not self._over and time.monotonic() < deadline:
            self._over += self._watch.ended()
            if not self._over:
                time.sleep(_TICK)
        over, self._over = self._over, []
        self._clear_up()
        return over

    def _take_up(self, undertaking: Undertaking) -> Watch:
        """Find the jobs of this undertaking that an earlier program gave out and that still wait or run."""
        self._undertaking, self._traces = undertaking, Traces(undertaking.folder)
        job_parameters(
            self._options, undertaking.most_needed(self._bench)
        )  # too short a time is said before the first job, not after the last
        alive = {job.id: job for job in look(self._traces.name).values() if job.is_active}
        for entry in self._traces.ledger.entries():
            jobs = entry.jobs or jobs_with(entry.token, alive, len(entry.steps))
            live = {which(step): (job, entry.token) for step, job in zip(entry.steps, jobs, strict=False) if job in alive}
            self._adoptable |= live
            self._tokens.add(entry.token)
            if live and not entry.jobs:
                self._write_down(entry, jobs)
        if self._adoptable:
            self._accepted = time.monotonic()
        watch = self._watch = Watch(self._traces, undertaking)
        self._clear_up()
        return watch

    def _clear_up(self) -> None:
        """Forget submissions of which nothing is awaited; logs stay only where there was a fault."""
        assert self._watch is not None
        over = self._tokens - self._watch.tokens() - {token for _, token in self._adoptable.values()}
        for token in over:
            self._traces.clear(token, keep_logs=token in self._watch.faulty)
        self._tokens -= over

    def _give_out(self) -> None:
        """Hand over what has been collected, as one array for all steps with the same needs."""
        if not self._fresh or time.monotonic() < self._later:
            return
        steps, self._fresh = self._fresh, []
        groups: dict[Needs, list[Step]] = {}
        for step in steps:
            groups.setdefault(self._undertaking.needs(step, self._bench), []).append(step)
        chunks = [(needs, group[at : at + MAX_ARRAY]) for needs, group in groups.items() for at in range(0, len(group), MAX_ARRAY)]
        for needs, chunk in chunks:
            try:
                self._submit_array(needs, chunk)
            except OSError as error:  # a full or missing shared disk: the conductor tries again, and says so
                self._over += [Ended(step, f"{type(error).__name__}: {error}") for step in chunk]

    def _submit_array(self, needs: Needs, steps: list[Step]) -> None:
        from submitit.core.utils import FailedJobError, FailedSubmissionError

        assert self._watch is not None
        token = secrets.token_hex(8)
        self._tokens.add(token)  # cleared up by itself where no job comes of it
        notes = [self._traces.note(token, place) for place in range(len(steps))]
        notes[0].parent.mkdir(parents=True, exist_ok=True)
        entry = Entry(token=token, steps=tuple(steps))
        self._traces.ledger.note(entry)
        settings = self._bench.settings.model_dump_json()
        calls = [(perform_on_node, (step, settings, str(note))) for step, note in zip(steps, notes, strict=True)]
        try:
            ids = submit_calls(self._traces.jobs(token), self._traces.name, token, job_parameters(self._options, needs), calls)
        except (FailedJobError, FailedSubmissionError) as error:
            # A job that came about all the same waits for a file that is cleared away, and ends.
            self._refused(str(error), steps)
            return
        self._accepted, self._pause = time.monotonic(), 0.0
        for step, job in zip(steps, ids, strict=True):
            self._watch.add(job, step, token)
        self._write_down(entry, tuple(ids))

    def _write_down(self, entry: Entry, jobs: tuple[str, ...]) -> None:
        with suppress(OSError):  # without the numbers the token still finds them
            self._traces.ledger.note(entry.model_copy(update={"jobs": jobs}))

    def _refused(self, told: str, steps: list[Step]) -> None:
        """Never a job accepted: the options are wrong. Else a limit or a busy controller, which passes."""
        assert self._watch is not None
        told = " ".join(told.split())[-300:]
        if not self._accepted:
            self._clear_up()
            raise RexbenchError(f"Slurm does not take the job: {told}")
        if time.monotonic() - max(self._accepted, self._watch.heard) > SILENCE_SECONDS:
            raise SystemFault(f"Slurm has taken no job for {SILENCE_SECONDS / 60:.0f} minutes: {told}; go on later with --resume.")
        self._fresh = steps + self._fresh
        self._pause = min(60.0, max(1.0, 2 * self._pause))
        self._later = time.monotonic() + self._pause


def jobs_with(token: str, alive: dict[str, Seen], count: int) -> tuple[str, ...]:
    """The jobs of a submission whose numbers were not written down; none where it did not come about."""
    found = sorted((number for number, job in alive.items() if job.comment == token), key=place_of)
    bases = {number.partition("_")[0] for number in found}
    if len(bases) != 1:
        return ()
    (base,) = bases
    return (base,) if count == 1 else tuple(f"{base}_{at}" for at in range(count))
