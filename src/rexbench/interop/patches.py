"""A patch that somebody else made, and where it belongs."""

from dataclasses import dataclass

from rexbench.task.folder import HintLevel


@dataclass(frozen=True)
class HandedIn:
    """One patch of a submission."""

    agent: str
    task: str
    hints: HintLevel
    repetition: int
    patch: bytes

    @property
    def id(self) -> str:
        return f"{self.agent}/{self.task}/{self.hints}/{self.repetition}"
