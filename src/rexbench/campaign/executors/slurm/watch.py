"""Waiting for jobs: by the notes that they leave, and by `squeue` for those that can leave none.

A job that Slurm has put back into its queue is cancelled and told as a fault: Slurm would not start it again for two minutes.
"""

import time
from contextlib import suppress
from dataclasses import dataclass

from rexbench.campaign.executors.ledger import VISIBLE_SECONDS
from rexbench.campaign.executors.protocol import Ended, UnderWay
from rexbench.campaign.executors.slurm.queue import Seen, cancel, look
from rexbench.campaign.executors.slurm.traces import Traces, place_of
from rexbench.campaign.undertaking import Step, Undertaking
from rexbench.errors import SystemFault

SILENCE_SECONDS = 1800.0
"""How long Slurm may give no answer, or refuse jobs, before we give up; jobs go on all the same."""

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
    node: str = ""
    """Where it was last seen; Slurm forgets that of a job that it puts back into its queue."""
    ended: Ended | None = None
    """Told by the job itself, while what it made is not to be seen yet."""
    since: float = 0.0
    """When it was told, or when Slurm was first found to know nothing of it."""


class Watch:
    """The jobs of one undertaking that are waited for."""

    def __init__(self, traces: Traces, undertaking: Undertaking) -> None:
        self._traces, self._undertaking = traces, undertaking
        self._jobs: dict[str, _Job] = {}
        self._over: list[Ended] = []
        self._looked = 0.0
        self.heard = time.monotonic()
        """When Slurm last answered."""
        self.faulty: set[str] = set()
        """Submissions with a job that ended in a fault."""

    def __len__(self) -> int:
        return len(self._jobs)

    def add(self, number: str, step: Step, token: str) -> None:
        self._jobs[number] = _Job(step, token)

    def tokens(self) -> set[str]:
        return {job.token for job in self._jobs.values()}

    def running(self) -> list[UnderWay]:
        return [
            UnderWay(job.step.label, job.seen.node)
            if job.seen and job.seen.state == "RUNNING"
            else UnderWay(job.step.label, waits_for=job.seen.reason if job.seen and job.seen.state == "PENDING" else "")
            for job in self._jobs.values()
        ]

    def ended(self) -> list[Ended]:
        """Jobs that are over since the last call; does not wait."""
        self._read_notes()
        self._ask_slurm()
        over, self._over = self._over, []
        return over

    def _read_notes(self) -> None:
        """Jobs that say themselves how they ended."""
        there = self._traces.notes()
        for number, job in list(self._jobs.items()):
            if job.ended is None and self._traces.note(job.token, place_of(number)).name in there:
                note = self._traces.read_note(job.token, place_of(number))
                if note:
                    job.ended, job.since = note.ended(job.step), time.monotonic()
            if job.ended is None:
                continue
            if (
                job.ended.fault is None
                and not self._undertaking.is_recorded(job.step)
                and time.monotonic() - job.since < VISIBLE_SECONDS
            ):
                continue
            self._end(number, job.ended)

    def _ask_slurm(self) -> None:
        """Jobs that can say nothing any more."""
        if not self._jobs or time.monotonic() - self._looked < min(30.0, 2.0 + len(self._jobs) / 50):
            return
        self._looked = time.monotonic()
        try:
            known = look(self._traces.name)
        except SystemFault as error:
            if time.monotonic() - self.heard > SILENCE_SECONDS:
                raise SystemFault(f"{error} Jobs go on; take them up later with --resume.") from error
            return
        self.heard = time.monotonic()
        self._read_notes()  # a job that ended while Slurm answered may have left its note by now
        for number, job in list(self._jobs.items()):
            job.seen = known.get(number)
            job.node = (job.seen.node if job.seen else "") or job.node
            if job.ended is None and not (job.seen and job.seen.is_active and not job.seen.was_requeued):
                self._lost(number, job)

    def _lost(self, number: str, job: _Job) -> None:
        """A job that left no note and is not under way either."""
        if job.seen and job.seen.was_requeued:
            with suppress(SystemFault):
                cancel(number)
            told = f"Slurm put its job {number} back into the queue"
            self._end(number, Ended(job.step, told, where=job.node))
        elif job.seen and job.seen.state in _FAULTS:
            self._end(number, Ended(job.step, f"job {number}: {_FAULTS[job.seen.state]}", where=job.node))
        elif not job.since:
            job.since = time.monotonic()  # ended, or forgotten by Slurm: its note may only be slow to show
        elif time.monotonic() - job.since > (2.0 if job.seen and job.seen.state != "COMPLETED" else VISIBLE_SECONDS):
            self._end(number, Ended(job.step, self._crash(number, job), where=job.node))

    def _crash(self, number: str, job: _Job) -> str:
        state = job.seen.state if job.seen else "unknown to Slurm"
        log = self._traces.jobs(job.token) / f"{number}_0_log.err"
        lines: list[str] = []
        with suppress(OSError):
            lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
        return f"job {number} ended without a word ({state}){f': {lines[-1][:300]}' if lines else ''}; its log is {log}"

    def _end(self, number: str, ended: Ended) -> None:
        job = self._jobs.pop(number)
        self._over.append(ended)
        if ended.fault is not None:
            self.faulty.add(job.token)
        self._traces.note(job.token, place_of(number)).unlink(missing_ok=True)
