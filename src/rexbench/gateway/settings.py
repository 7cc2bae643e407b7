"""What a gateway is started with. Handed over on its standard input, since it holds the key."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from rexbench.gateway.meter import Budget, Price
from rexbench.gateway.script import Script

SOCKET = "gateway.sock"
"""The name of the socket, in the folder that a gateway is given."""


class _Settings(BaseModel):
    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")


class ForwardSettings(_Settings):
    """A real provider."""

    kind: Literal["forward"] = "forward"
    base_url: str
    key: str
    key_header: Literal["authorization", "x-api-key"]


class ScriptedSettings(_Settings):
    """A scripted model."""

    kind: Literal["scripted"] = "scripted"
    script: Script


class ReplaySettings(_Settings):
    """The record of an earlier run."""

    kind: Literal["replay"] = "replay"
    exchanges: Path


class GatewaySettings(_Settings):
    """One run's gateway."""

    provider: ForwardSettings | ScriptedSettings | ReplaySettings
    models: tuple[str, ...]
    """The only models that the agent may ask for, under the names that it uses; empty: any."""
    priced_as: str | None
    """provider/model in the price list; None: the cost is unknown."""
    price: Price | None = None
    budget: Budget = Budget()
    allow_server_tools: bool = False
    retry_seconds: float = 300.0
    """How long a provider's outage is ridden out before the run is given up as a system fault."""
    backoff_seconds: float = 1.0
    """The first wait between tries; doubles up to 30 s."""
    stall_seconds: float = 300.0
    """How long a provider may be silent in mid-answer."""
    drain_seconds: float = 30.0
    """How long answers that are under way at the run's end may take to tell what they cost; then they are estimated."""
    body_seconds: float = 60.0
    """How long a request's body may take to arrive."""
    body_bytes: int = 32 * 1024 * 1024
    """The longest request."""
    log_bytes: int = 1024 * 1024 * 1024
    """What the run's exchanges may take on disk; then the run is over."""
    refusals: int = 1_000
    """How many requests may be refused before the run is over."""
