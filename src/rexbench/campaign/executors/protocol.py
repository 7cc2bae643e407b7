"""What every executor takes and gives."""

from dataclasses import dataclass
from types import TracebackType
from typing import Protocol

from rexbench.campaign.steps import Step


@dataclass(frozen=True)
class Ended:
    """A step that is over, one way or the other; what it made is in the campaign's folder."""

    step: Step
    fault: str | None = None
    """A fault of ours that kept it from being done; None where it was done."""
    permanent: bool = False
    """The fault is one that trying again will not mend: the user has to."""
    where: str = ""
    """The node that did it."""


@dataclass(frozen=True)
class UnderWay:
    """A step that was handed over and is not over."""

    label: str
    where: str = ""
    """The node that does it; empty while it waits for one."""
    waits_for: str = ""
    """Why it waits, in the cluster's words; empty where the cluster says nothing."""


class Executor(Protocol):
    """A way to have steps done; a context manager."""

    name: str
    slots: int
    """Steps that it takes at a time."""

    def __enter__(self) -> "Executor": ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...

    def submit(self, step: Step) -> None:
        """Take a step; returns at once."""
        ...

    def wait(self) -> list[Ended]:
        """Steps that have ended since the last call; waits a while for one, and may come back with none."""
        ...

    def running(self) -> list[UnderWay]:
        """The steps that it has, for the reader."""
        ...
