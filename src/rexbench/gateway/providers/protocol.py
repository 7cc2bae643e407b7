"""What every provider takes and gives."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from rexbench.gateway import strict
from rexbench.gateway.wires.protocol import Body, Wire


class ProviderDown(Exception):
    """No answer, or one that broke off: the connection was refused, dropped, stalled or made no sense. Never the agent's fault."""


class BrokeOff(ProviderDown):
    """The provider had begun, or had worked for long: it may well charge for the answer, all of it."""


@dataclass(frozen=True)
class Call:
    """One request to a model, as it is forwarded."""

    number: int
    """Counts the requests of a run from 1."""
    wire: Wire
    path: str
    headers: dict[str, str]
    """The agent's, as far as they travel; the key is only added by the provider."""
    body: Body
    query: str = ""

    @cached_property
    def content(self) -> bytes:
        """The body, written anew: no byte of the agent's own spelling goes out."""
        return strict.write(self.body)

    @property
    def streamed(self) -> bool:
        return bool(self.body.get("stream"))


@dataclass
class Reply:
    """The beginning of an answer; the rest comes from `chunks`, which may raise `ProviderDown`."""

    status: int
    headers: dict[str, str]
    chunks: AsyncGenerator[bytes, None]


class Provider(Protocol):
    """A source of answers."""

    async def open(self, call: Call) -> Reply:
        """Begin to answer; raises `ProviderDown` where there is nobody to answer."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...
