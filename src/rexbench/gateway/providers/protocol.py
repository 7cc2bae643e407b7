"""What every provider takes and gives."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from rexbench.gateway.wires.protocol import Body, Wire


class ProviderDown(Exception):
    """No answer, or one that broke off: the connection was refused, dropped, stalled or made no sense. Never the agent's fault."""


@dataclass(frozen=True)
class Call:
    """One request to a model."""

    number: int
    """Counts the requests of a run from 1."""
    wire: Wire
    path: str
    query: str
    headers: dict[str, str]
    """Without the key, which only the provider adds."""
    content: bytes
    body: Body
    """The content, parsed."""

    @property
    def streamed(self) -> bool:
        return bool(self.body.get("stream"))


@dataclass
class Reply:
    """The beginning of an answer; the rest comes from `chunks`, which may raise `ProviderDown`."""

    status: int
    headers: dict[str, str]
    chunks: AsyncIterator[bytes]


class Provider(Protocol):
    """A source of answers."""

    async def open(self, call: Call) -> Reply:
        """Begin to answer; raises `ProviderDown` where there is nobody to answer."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...
