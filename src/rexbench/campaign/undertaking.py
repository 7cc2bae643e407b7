"""What can be conducted: a campaign of runs, or a list of trials. Both live in a folder, which is the only truth about them.

Evaluating one patch, the demo, a task's check and its calibration are lists of trials; everything else is a campaign. The
conductor, the executors and the workers know neither: they see steps, and ask the undertaking what a step left behind.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from rexbench.record.model import StepFault
from rexbench.workbench import Workbench

StepKind = Literal["agent", "verdict", "trial"]


@dataclass(frozen=True)
class Step:
    """A piece of work, small enough to travel: everything else about it is in the undertaking's folder."""

    folder: str
    """Of the undertaking."""
    name: str
    """Of the run, or of the trial."""
    kind: StepKind
    number: int = 1
    """The attempt at a run, or the trial's place in its list."""

    @property
    def label(self) -> str:
        return self.name if self.kind == "trial" else f"{self.name} {self.kind}"


@dataclass(frozen=True)
class Left:
    """What a step left behind."""

    outcome: str | None = None
    """The unit of work is finished, with this outcome."""
    follows: Step | None = None
    """Another step comes after this one."""
    fault: str | None = None
    """A fault of ours is on record, or no record at all."""
    usd: float | None = 0.0
    """What the step has cost; None where that is not known."""


@dataclass(frozen=True)
class Needs:
    """What a step may need of a machine at most, so that no cluster's limit ends it before its own does."""

    minutes: int
    memory_mb: int
    gpus: int = 0


@dataclass
class Standing:
    """Where an undertaking stands when it is taken up."""

    total: int
    missing: list[Step] = field(default_factory=list)
    """The next step of each unit that is not finished."""
    finished: list[Left] = field(default_factory=list)
    usd: float = 0.0
    """What unfinished units have cost so far."""


class Undertaking(Protocol):
    """Work that is planned, and what there is of it."""

    @property
    def folder(self) -> Path: ...

    @property
    def retries(self) -> int:
        """How often a fault of ours is tried again."""
        ...

    @property
    def budget_usd(self) -> float | None:
        """Reached, no further agent is started."""
        ...

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep every other program from conducting this at the same time."""
        ...

    def standing(self) -> Standing:
        """What is done and what is missing, looked up once."""
        ...

    def left_by(self, step: Step) -> Left:
        """What is on record of a step that has ended."""
        ...

    def again(self, step: Step) -> Step:
        """The step that is to be done after a fault in this one."""
        ...

    def keep_fault(self, step: Step, fault: StepFault) -> None:
        """Put a fault of ours on record."""
        ...

    def is_recorded(self, step: Step) -> bool:
        """Whether what a step makes is in the folder, looked at anew."""
        ...

    def needs(self, step: Step, bench: Workbench) -> Needs:
        """What a step may need at most."""
        ...

    def most_needed(self, bench: Workbench) -> Needs:
        """What the most demanding step may need."""
        ...

    def perform(self, step: Step, bench: Workbench) -> None:
        """Do a step, in whatever process it was moved to, and put it on record; done already, it returns at once."""
        ...

    def sweep(self) -> None:
        """Remove what dead processes of this host left half-done."""
        ...
