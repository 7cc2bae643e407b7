"""What every executor takes and gives."""

from dataclasses import dataclass
from typing import Protocol

from rexbench.campaign.undertaking import Step, Undertaking
from rexbench.workbench import Workbench


@dataclass(frozen=True)
class Ended:
    """A step that is over, one way or the other; what it made is in the undertaking's folder."""

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
    """A way to have steps done."""

    name: str
    slots: int
    """Steps that it takes at a time."""

    def begin(self, bench: Workbench) -> None:
        """Before the first step: workers shall have benches like this one, and nothing of an earlier undertaking is left."""
        ...

    def end(self, error: BaseException | None) -> None:
        """After the last step, or when something went wrong."""
        ...

    def submit(self, step: Step, undertaking: Undertaking) -> None:
        """Take a step of an undertaking; returns at once."""
        ...

    def wait(self) -> list[Ended]:
        """Steps that have ended since the last call; waits a while for one, and may come back with none."""
        ...

    def running(self) -> list[UnderWay]:
        """The steps that it has, for the reader."""
        ...
