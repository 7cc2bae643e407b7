"""A patch that somebody else made, and where it belongs."""

from dataclasses import dataclass, field

from rexbench.record.model import TokenCount
from rexbench.task.folder import HintLevel


@dataclass(frozen=True)
class Told:
    """What whoever ran the agent says of its step. Nothing of it bears on the verdict."""

    model: str = ""
    tokens: TokenCount = field(default_factory=TokenCount)
    cost_usd: float | None = None
    """None where it is not said."""
    trajectory: bytes = b""
    """In ATIF; empty where there is none."""
    version: str = ""
    """Of the agent's program."""


@dataclass(frozen=True)
class HandedIn:
    """One patch of a submission."""

    agent: str
    task: str
    hints: HintLevel
    repetition: int
    patch: bytes
    told: Told = field(default_factory=Told)

    @property
    def id(self) -> str:
        return f"{self.agent}/{self.task}/{self.hints}/{self.repetition}"
