"""Every run of a campaign in one line each, kept up to date while the campaign runs.

What has a verdict is read once, since it never changes; only runs without one are looked at again. A record that cannot be read is
a line that says so. Nothing is ever written, and no link is followed.
"""

import threading
import time
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from rexbench.agent.controls import CONTROLS
from rexbench.campaign.folder import RUN_NAME, Campaign
from rexbench.campaign.plan import plan_runs
from rexbench.campaign.underway import UnderWay, read_under_way
from rexbench.errors import RexbenchError
from rexbench.record.model import Outcome, StepFault
from rexbench.untrusted import read_plain

LOOK_SECONDS = 0.5
"""The folder is not looked at more often."""
STATES = ("waiting", "running", "not judged", "fault", "damaged")
"""What a run without a verdict may be; they stand where others have an outcome."""
_MAX_RECORD = 16 * 2**20


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class _Step(_Part):
    cost_usd: float | None
    seconds: float
    turns: int


class _Flag(_Part):
    kind: str


class _Verdict(_Part):
    """Of a run's record, what a line shows; the rest is not even kept in memory."""

    id: str
    attempt: int
    step: _Step
    outcome: Outcome
    score: float | None = None
    flags: tuple[_Flag, ...]
    written_at: str


@dataclass(frozen=True)
class Line:
    """One run."""

    outcome: str
    """Of a run without a verdict, its state."""
    score: float | None = None
    usd: float | None = None
    """Of all attempts on record; None where not known."""
    seconds: float | None = None
    turns: int | None = None
    flags: tuple[str, ...] = ()
    written_at: str = ""
    changed: int = field(default=0, compare=False)
    """The count of changes to the listing when this line became what it is."""

    @property
    def is_finished(self) -> bool:
        return self.outcome not in STATES


class Listing:
    """The runs of one campaign."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.campaign = name, Campaign(folder)
        self.plan = self.campaign.plan
        self.controls = {spec.name for spec in self.plan.agents if spec.agent in CONTROLS}
        self.lines: dict[str, Line] = {run.id: Line("waiting") for run in plan_runs(self.plan)}
        self.faults: dict[str, list[StepFault]] = {}
        self.under_way: UnderWay | None = None
        self._changes, self._looked = 0, 0.0
        self._stood: tuple[tuple[int, UnderWay | None], dict[str, Any]] | None = None
        self._lock = threading.Lock()

    @property
    def agents(self) -> list[str]:
        return list(dict.fromkeys([*(spec.name for spec in self.plan.agents), *(run.split("/")[0] for run in self.lines)]))

    @property
    def scored(self) -> list[str]:
        """Tasks whose runs have scores, as far as is known yet."""
        return sorted({run.split("/")[1] for run, line in self.lines.items() if line.score is not None})

    def look(self) -> int:
        """See what has happened since the last look; the count of changes so far."""
        with self._lock:
            if time.monotonic() - self._looked >= LOOK_SECONDS and not (self._looked and self._is_over()):
                self._look()
                self._looked = time.monotonic()
            return self._changes

    def since(self, changes: int) -> list[list[Any]]:
        """The lines that have changed after so many changes, as values in a row; after -1, all."""
        with self._lock:
            return [
                [run, line.outcome, line.score, line.usd, line.seconds, line.turns, " ".join(line.flags), line.written_at]
                for run, line in self.lines.items()
                if line.changed > changes
            ]

    def standing(self) -> dict[str, Any]:
        """Where the campaign stands as a whole."""
        with self._lock:
            if self._stood is None or self._stood[0] != (self._changes, self.under_way):
                self._stood = (self._changes, self.under_way), self._standing()
            return self._stood[1]

    def _standing(self) -> dict[str, Any]:
        done = [line for line in self.lines.values() if line.is_finished]
        going = self.under_way
        return {
            "name": self.name,
            "folder": str(self.campaign.folder),
            "total": len(self.lines),
            "done": len(done),
            "outcomes": dict(Counter(line.outcome for line in self.lines.values())),
            "usd": sum(line.usd or 0.0 for line in self.lines.values()),
            "unpriced": sum(line.usd is None for run, line in self.lines.items() if line.is_finished and not self._is_control(run)),
            "expected": self._expected(),
            "budget": self.plan.budget_usd,
            "live": going is not None,
            "running": [[step.label, step.where, step.waits_for] for step in going.steps] if going else [],
            "queued": going.queued if going else 0,
            "held_back": going.held_back if going else 0,
            "faults": [
                [run, fault.kind, fault.attempt, fault.fault, fault.where] for run, told in self.faults.items() for fault in told
            ],
            "given_up": going.given_up if going else {},
        }

    def _is_over(self) -> bool:
        """Whether nothing can have changed: every run has a verdict, and nobody conducts the campaign, or did at the last look."""
        return (
            self.under_way is None
            and all(line.is_finished for line in self.lines.values())
            and read_under_way(self.campaign.folder) is None
        )

    def _is_control(self, run: str) -> bool:
        return run.split("/")[0] in self.controls

    def _expected(self) -> float | None:
        """What the whole will have cost at each agent's mean so far; None while there is an agent of which nothing is known."""
        known: dict[str, list[float]] = defaultdict(list)
        planned: Counter[str] = Counter()
        for run, line in self.lines.items():
            if not self._is_control(run):
                agent = run.split("/")[0]
                planned[agent] += 1
                if line.is_finished and line.usd is not None:
                    known[agent].append(line.usd)
        if any(agent not in known for agent in planned):
            return None
        return sum(sum(known[agent]) / len(known[agent]) * count for agent, count in planned.items())

    def _look(self) -> None:
        self.under_way = read_under_way(self.campaign.folder)
        running = {step.label.rpartition(" ")[0] for step in self.under_way.steps if step.where} if self.under_way else set()
        there = {name for name in self.campaign.names() if RUN_NAME.fullmatch(name)}
        changed = self._changes
        for run in [*self.lines, *(there - self.lines.keys())]:
            before = self.lines.get(run)
            if before and before.is_finished:
                continue
            line = self._read(run) if run in there else Line("waiting")
            if run in running and not line.is_finished:
                line = Line("running", usd=line.usd)
            if line != before:
                self.lines[run] = replace(line, changed=changed + 1)
                self._changes = changed + 1

    def _read(self, run: str) -> Line:
        path = Path(f"{self.campaign.folder}/runs/{run}/run.json")  # joined at once, since there may be ten thousand
        try:
            found = _Verdict.model_validate_json(read_plain(path, _MAX_RECORD))
            if found.id != run:
                return Line("damaged")
            usd = found.step.cost_usd
            if found.attempt > 1:
                self.faults[run] = self._faults(run)
                usd = self._spent(run)
            flags = tuple(sorted({flag.kind for flag in found.flags}))
            return Line(found.outcome, found.score, usd, found.step.seconds, found.step.turns, flags, found.written_at)
        except FileNotFoundError:
            return self._unfinished(run)
        except (RexbenchError, ValidationError):
            return Line("damaged")

    def _unfinished(self, run: str) -> Line:
        faults = self._faults(run)
        if faults:
            self.faults[run] = faults
        try:
            attempts = self.campaign.attempts(run)
            last = self.campaign.agent_step(run, attempts[-1]) if attempts else None
        except RexbenchError:
            return Line("damaged")
        if last is None or last.outcome == "system_fault":
            return Line("fault" if faults or last else "waiting", usd=self._spent(run))
        return Line("not judged", None, self._spent(run), last.seconds, last.turns)

    def _faults(self, run: str) -> list[StepFault]:
        with suppress(RexbenchError):
            return self.campaign.faults(run)
        return []

    def _spent(self, run: str) -> float | None:
        with suppress(RexbenchError):
            steps = [self.campaign.agent_step(run, attempt) for attempt in self.campaign.attempts(run)]
            known = [step.cost_usd for step in steps if step and step.cost_usd is not None]
            return sum(known) if known else None
        return None
