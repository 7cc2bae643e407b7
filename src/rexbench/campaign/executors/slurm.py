"""A Slurm cluster, through submitit: one job per step, given out as arrays.

Steps that the conductor hands over together and that need the same go out as one array (submitit's `batch`): one call of sbatch
for hundreds of jobs. Everything that a job learns is in the campaign's folder; a note under `.slurm/ended` says that it is over.
`squeue` is asked only for what a job cannot tell itself: that it waits, where it runs, that it was cancelled, preempted,
requeued, timed out or lost with its node. Each of these is a fault for the conductor to try again, in a new job.

Jobs go on without the program that gave them out. The ledger, and the token that each job carries as its comment, let the next
one find them. A job that Slurm has put back into its queue is cancelled and told as a fault while somebody watches: Slurm would
not start it again for two minutes; with nobody there it simply runs again, and finds done what was done.
"""

import os
import secrets
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from pydantic import ValidationError

from rexbench.campaign.executors.ledger import Entry, Ledger, is_recorded
from rexbench.campaign.executors.needs import Needs, most_needed, needs_of
from rexbench.campaign.executors.on_node import Note, perform_on_node
from rexbench.campaign.executors.protocol import Ended
from rexbench.campaign.executors.slurm_options import job_parameters
from rexbench.campaign.executors.slurm_queue import Seen, cancel, look
from rexbench.campaign.executors.slurm_submission import require_submitit, submit_calls
from rexbench.campaign.steps import Step
from rexbench.digest import digest_value
from rexbench.errors import RexbenchError, SystemFault
from rexbench.places import remove_tree

MAX_ARRAY = 500
"""Jobs in one array; clusters refuse above their MaxArraySize, which is 1001 by default."""
VISIBLE_SECONDS = 90.0
"""How long a job that says it is done is given until a slow network file system shows what it wrote."""
SILENCE_SECONDS = 1800.0
"""How long Slurm may give no answer, or refuse jobs, before we give up; jobs go on all the same."""
_TICK = 0.2

_FAULTS = {
    "CANCELLED": "it was cancelled",
    "NODE_FAIL": "its node failed",
    "BOOT_FAIL": "its node failed to start",
    "PREEMPTED": "it was preempted",
    "TIMEOUT": "Slurm's time limit ended it; give a longer one with --slurm time=...",
    "DEADLINE": "Slurm's deadline ended it",
    "OUT_OF_MEMORY": "Slurm's memory limit ended it; give more with --slurm mem=...",
}


@dataclass
class _Job:
    """A job that we wait for."""

    step: Step
    token: str
    seen: Seen | None = None
    ended: Ended | None = None
    """Told by the job itself, while what it made is not to be seen yet."""
    since: float = 0.0
    """When it was told, or when Slurm was first found to know nothing of it."""


class Slurm:
    """Does steps as jobs of a Slurm cluster."""

    name = "slurm"

    def __init__(self, options: dict[str, str], max_jobs: int) -> None:
        require_submitit()
        self.slots = max_jobs
        self._options = options
        self._fresh: list[Step] = []
        self._jobs: dict[str, _Job] = {}
        self._over: list[Ended] = []
        self._faulty: set[str] = set()
        self._adoptable: dict[Step, tuple[str, str]] | None = None
        self._folder = Path()
        self._looked = self._heard = self._accepted = 0.0
        self._later = self._pause = 0.0

    def __enter__(self) -> "Slurm":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is not None and self._jobs:
            left = (
                f"rexbench: {len(self._jobs)} jobs go on in Slurm; --resume takes them up, scancel --name={self._name} ends them."
            )
            print(left, file=sys.stderr)

    def submit(self, step: Step) -> None:
        if self._adoptable is None:
            self._take_up(Path(step.campaign))
        assert self._adoptable is not None
        found = self._adoptable.pop(step, None)
        if found:
            self._jobs[found[0]] = _Job(step, found[1])
        else:
            self._fresh.append(step)

    def running(self) -> list[str]:
        under_way = [job for job in self._jobs.values() if job.seen and job.seen.state == "RUNNING"]
        told = [f"{job.step.label} on {job.seen.node}" for job in under_way if job.seen]
        waiting = [job for job in self._jobs.values() if job.seen and job.seen.state == "PENDING"]
        if waiting:
            reasons = sorted({job.seen.reason for job in waiting if job.seen})
            told.append(f"{len(waiting)} jobs wait in Slurm ({', '.join(reasons)})")
        return told

    def wait(self) -> list[Ended]:
        self._give_out()
        deadline = time.monotonic() + 1.0
        while not self._over and time.monotonic() < deadline:
            self._read_notes()
            self._ask_slurm()
            if not self._over:
                time.sleep(_TICK)
        over, self._over = self._over, []
        return over

    @property
    def _name(self) -> str:
        return f"rexbench-{digest_value(str(self._folder))[:12]}"

    @property
    def _ledger(self) -> Ledger:
        return Ledger(self._folder / ".slurm" / "ledger")

    def _note_of(self, token: str, at: int) -> Path:
        return self._folder / ".slurm" / "ended" / f"{token}-{at}.json"

    def _take_up(self, campaign: Path) -> None:
        """Find the jobs of this campaign that an earlier program gave out and that still wait or run."""
        self._folder = campaign
        job_parameters(self._options, most_needed(campaign))  # too short a time is said before the first job, not after the last
        known = look(self._name)
        self._heard = time.monotonic()
        alive = {job.id: job for job in known.values() if job.is_active}
        self._adoptable = {}
        for entry in self._ledger.entries():
            jobs = entry.jobs or _jobs_with(entry.token, alive, len(entry.steps))
            live = {step: (job, entry.token) for step, job in zip(entry.steps, jobs, strict=False) if job in alive}
            self._adoptable |= live
            if not live:
                self._clear(entry.token)
            elif not entry.jobs:
                self._ledger.note(entry.model_copy(update={"jobs": jobs}))

    def _give_out(self) -> None:
        """Hand over what has been collected, as one array for all steps with the same needs."""
        if not self._fresh or time.monotonic() < self._later:
            return
        steps, self._fresh = self._fresh, []
        groups: dict[Needs, list[Step]] = {}
        for step in steps:
            groups.setdefault(needs_of(step), []).append(step)
        chunks = [(needs, group[at : at + MAX_ARRAY]) for needs, group in groups.items() for at in range(0, len(group), MAX_ARRAY)]
        for needs, chunk in chunks:
            try:
                self._submit_array(needs, chunk)
            except OSError as error:  # a full or missing shared disk: the conductor tries again, and says so
                self._over += [Ended(step, f"{type(error).__name__}: {error}") for step in chunk]

    def _submit_array(self, needs: Needs, steps: list[Step]) -> None:
        from submitit.core.utils import FailedJobError, FailedSubmissionError

        token = secrets.token_hex(8)
        notes = [str(self._note_of(token, at)) for at in range(len(steps))]
        Path(notes[0]).parent.mkdir(parents=True, exist_ok=True)
        entry = Entry(token=token, steps=tuple(steps))
        self._ledger.note(entry)
        try:
            ids = submit_calls(
                self._folder / ".slurm" / "jobs" / token,
                self._name,
                token,
                job_parameters(self._options, needs),
                [(perform_on_node, (step, note)) for step, note in zip(steps, notes, strict=True)],
            )
        except (FailedJobError, FailedSubmissionError) as error:
            self._clear(token)  # a job that came about all the same waits for a file that is not there, and ends
            self._refused(str(error), steps)
            return
        self._accepted, self._pause = time.monotonic(), 0.0
        for step, job in zip(steps, ids, strict=True):
            self._jobs[job] = _Job(step, token)
        with suppress(OSError):  # without the numbers the token still finds them
            self._ledger.note(entry.model_copy(update={"jobs": tuple(ids)}))

    def _refused(self, told: str, steps: list[Step]) -> None:
        """Never a job accepted: the options are wrong. Else a limit or a busy controller, which passes."""
        told = " ".join(told.split())[-300:]
        if not self._accepted:
            raise RexbenchError(f"Slurm does not take the job: {told}")
        if time.monotonic() - max(self._accepted, self._heard) > SILENCE_SECONDS:
            raise SystemFault(f"Slurm has taken no job for {SILENCE_SECONDS / 60:.0f} minutes: {told}; go on later with --resume.")
        self._fresh = steps + self._fresh
        self._pause = min(60.0, max(1.0, 2 * self._pause))
        self._later = time.monotonic() + self._pause

    def _read_notes(self) -> None:
        """Jobs that say themselves how they ended."""
        with suppress(FileNotFoundError):
            there = set(os.listdir(self._folder / ".slurm" / "ended"))
            for number, job in list(self._jobs.items()):
                if job.ended is None and (name := self._note_of(job.token, _place(number)).name) in there:
                    with suppress(OSError, ValidationError):
                        note = Note.model_validate_json((self._folder / ".slurm" / "ended" / name).read_bytes())
                        job.ended, job.since = note.ended(job.step), time.monotonic()
        for number, job in list(self._jobs.items()):
            if job.ended is None:
                continue
            if job.ended.fault is None and not is_recorded(job.step) and time.monotonic() - job.since < VISIBLE_SECONDS:
                continue
            self._end(number, job.ended)

    def _ask_slurm(self) -> None:
        """Jobs that can say nothing any more."""
        if not self._jobs or time.monotonic() - self._looked < min(30.0, 2.0 + len(self._jobs) / 50):
            return
        self._looked = time.monotonic()
        try:
            known = look(self._name)
        except SystemFault as error:
            if time.monotonic() - self._heard > SILENCE_SECONDS:
                raise SystemFault(f"{error} Jobs go on; take them up later with --resume.") from error
            return
        self._heard = time.monotonic()
        self._read_notes()  # a job that ended while Slurm answered may have left its note by now
        for number, job in list(self._jobs.items()):
            before, job.seen = job.seen, known.get(number)
            if job.ended is not None or (job.seen and job.seen.is_active and not job.seen.was_requeued):
                continue
            if job.seen and job.seen.was_requeued:
                with suppress(SystemFault):
                    cancel(number)
                self._end(
                    number, Ended(job.step, f"Slurm put its job {number} back into the queue", where=before.node if before else "")
                )
            elif job.seen and job.seen.state in _FAULTS:
                told = f"job {number}: {_FAULTS[job.seen.state]}"
                self._end(number, Ended(job.step, told, where=job.seen.node))
            elif not job.since:
                job.since = time.monotonic()  # ended, or forgotten by Slurm: its note may only be slow to show
            elif time.monotonic() - job.since > (2.0 if job.seen and job.seen.state != "COMPLETED" else VISIBLE_SECONDS):
                self._end(number, Ended(job.step, self._crash(number, job), where=job.seen.node if job.seen else ""))

    def _crash(self, number: str, job: _Job) -> str:
        state = job.seen.state if job.seen else "unknown to Slurm"
        log = self._folder / ".slurm" / "jobs" / job.token / f"{number}_0_log.err"
        lines: list[str] = []
        with suppress(OSError):
            lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
        return f"job {number} ended without a word ({state}){f': {lines[-1][:300]}' if lines else ''}; its log is {log}"

    def _end(self, number: str, ended: Ended) -> None:
        job = self._jobs.pop(number)
        self._over.append(ended)
        if ended.fault is not None:
            self._faulty.add(job.token)
        self._note_of(job.token, _place(number)).unlink(missing_ok=True)
        if not any(other.token == job.token for other in self._jobs.values()):
            self._clear(job.token)

    def _clear(self, token: str) -> None:
        """Nothing of this submission is awaited any more; logs stay only where there was a fault."""
        self._ledger.forget(token)
        folder = self._folder / ".slurm" / "jobs" / token
        if token not in self._faulty and folder.exists():
            remove_tree(folder)


def _jobs_with(token: str, alive: dict[str, Seen], count: int) -> tuple[str, ...]:
    """The jobs of a submission whose numbers were not written down; none where there are not all."""
    found = sorted((number for number, job in alive.items() if job.comment == token), key=_place)
    bases = {number.partition("_")[0] for number in found}
    if len(bases) != 1:
        return ()
    (base,) = bases
    return (base,) if count == 1 else tuple(f"{base}_{at}" for at in range(count))


def _place(number: str) -> int:
    """A job's place in its array; 0 where it stands alone."""
    return int(number.partition("_")[2] or 0)
