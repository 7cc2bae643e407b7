"""One agent with everything that determines what it does: one nested value, from the command line or a file down to the gateway."""

import re
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from rexbench.errors import RexbenchError
from rexbench.gateway.meter import Price
from rexbench.gateway.wires.protocol import WireName
from rexbench.record.model import Limits

Condition = Literal["open", "paper"]
_NESTED = {
    "endpoint": {"base_url": "base_url", "key_file": "key_file", "wires": "wires", "price": "price"},
    "limits": {
        "time_limit": "seconds",
        "budget_usd": "usd",
        "budget_tokens": "tokens",
        "budget_requests": "requests",
        "memory_mb": "memory_mb",
    },
    "gateway": {
        name: name for name in ("allow_server_tools", "retry_seconds", "backoff_seconds", "stall_seconds", "drain_seconds")
    },
}
"""Keys that may stand flat in a file, as the options of the command line do, and where they belong."""


class _Strict(BaseModel):
    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")


class Endpoint(_Strict):
    """Where a model is served, if not where its provider serves it."""

    base_url: str | None = None
    key_file: str | None = None
    """A file that holds the key; else the environment has it."""
    wires: tuple[WireName, ...] | None = None
    """Protocols that the server at base_url speaks; known for known providers."""
    price: Price | None = None
    """If not the listed price."""


class GatewayOptions(_Strict):
    """What the gateway allows and rides out."""

    allow_server_tools: bool = False
    """The provider's own web search and code execution."""
    retry_seconds: float = 300.0
    """How long a provider's outage is ridden out."""
    backoff_seconds: float = 1.0
    """The first wait between tries; doubles up to 30 s."""
    stall_seconds: float = 300.0
    """How long a provider may be silent in mid-answer."""
    drain_seconds: float = 30.0
    """How long answers that are under way at the run's end may take to tell what they cost; then they are estimated."""


class Agent(_Strict):
    """One agent of a campaign: `Agent("claude-code", model="anthropic/...", limits=Limits(usd=5))`."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$")
    """What tables and folders call it; the agent's own name by default."""
    agent: str
    """aider, claude-code, openhands, mini-swe-agent, command, a plug-in's name, `module:Class`, or a control."""
    model: str = ""
    """provider/model, scripted:FILE or replay:RUN; empty for controls."""
    endpoint: Endpoint = Endpoint()
    condition: Condition = "open"
    """`paper`: no Python for the agent, one line of prompt."""
    limits: Limits = Limits()
    gateway: GatewayOptions = GatewayOptions()
    captures: tuple[float, ...] | None = None
    """Minutes at which the tree is captured on the way; None: 5, 10, 20, 40, ... for scored tasks, never for others."""
    options: dict[str, str] = Field(default_factory=dict)
    """Settings of this agent alone, such as edit_format for aider or command for command."""

    def __init__(self, agent: str | type | None = None, /, **values: Any) -> None:
        """`agent` is a name, or a class of your own that launches one."""
        if isinstance(agent, type):
            agent = f"{agent.__module__}:{agent.__qualname__}"
        super().__init__(**({} if agent is None else {"agent": agent}), **values)

    @model_validator(mode="before")
    @classmethod
    def _nest(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        values = dict(given)
        for part, keys in _NESTED.items():
            flat = {inner: values.pop(key) for key, inner in keys.items() if key in values}
            if flat:
                inner = values.get(part, {})
                values[part] = (inner.model_dump(exclude_unset=True) if isinstance(inner, BaseModel) else inner) | flat
        values.setdefault("name", str(values.get("agent", "")).rpartition(":")[2])
        return values

    @field_validator("limits", mode="before")
    @classmethod
    def _durations(cls, given: Any) -> Any:
        if isinstance(given, dict) and isinstance(given.get("seconds"), str):
            return given | {"seconds": read_duration(given["seconds"])}
        return given

    def from_folder(self, folder: Path) -> "Agent":
        """With files that are named relative to this folder named in full, so that a campaign can be resumed from anywhere."""
        kind, colon, rest = self.model.partition(":")
        model = f"{kind}:{(folder / rest).absolute()}" if colon and kind in ("scripted", "replay") else self.model
        key_file = self.endpoint.key_file
        endpoint = self.endpoint.model_copy(update={"key_file": str((folder / key_file).absolute()) if key_file else None})
        return self.model_copy(update={"model": model, "endpoint": endpoint})


def read_duration(text: str) -> float:
    """Seconds in `90`, `90s`, `30m` or `2h`."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", text.strip())
    if not found or float(found.group(1)) <= 0:
        raise RexbenchError(f"{text!r} is no duration; write 90s, 30m or 2h.")
    return float(found.group(1)) * {"": 1, "s": 1, "m": 60, "h": 3600}[found.group(2)]
