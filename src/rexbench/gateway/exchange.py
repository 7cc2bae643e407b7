"""What passed between an agent and its model, one line each, on disk as soon as it is over."""

import gzip
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from rexbench.gateway.wires.choose import COUNT_TOKENS, WIRES
from rexbench.gateway.wires.protocol import WireName
from rexbench.untrusted import MAX_BYTES, NotTaken, open_plain

FEW_TOKENS = 16
"""A request for no more than this asks for no answer: programs check their quota that way."""

Ending = Literal["whole", "cut", "refused", "error", "outage", "left"]
"""whole: answered in full. cut: the provider broke off. refused: by the gateway (budget, tool, model). error: the provider's own
refusal (4xx). outage: no answer after all retries. left: the agent hung up."""


class ExchangeUsage(BaseModel):
    """Tokens of one exchange."""

    model_config = ConfigDict(frozen=True)

    input: int
    output: int
    cached: int
    cache_written: int


class Exchange(BaseModel):
    """One request and its answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    wire: WireName
    path: str
    at: str
    model: str
    streamed: bool
    request: dict[str, Any]
    status: int
    response: str
    """As it went to the agent."""
    ending: Ending
    detail: str
    usage: ExchangeUsage | None
    """None where the provider did not say."""
    cost_usd: float | None
    """None where the price is not known; never 0 for that."""
    seconds: float
    """From the request to the end of the answer."""
    tries: tuple[str, ...]
    """What went wrong before the answer came, each with the time waited."""


def main_conversation(exchanges: Sequence[Exchange]) -> list[Exchange]:
    """The agent's own conversation, as opposed to titles, quota checks and token counts on the side.

    A program with tools offers them in every request of its conversation. One without (aider) keeps to its first system prompt
    there, and has another one when it asks, say, for a summary of what was said.
    """
    asked = [exchange for exchange in exchanges if exchange.path != COUNT_TOKENS]
    with_tools = [exchange for exchange in asked if WIRES[exchange.wire].tools(exchange.request)]
    spoken = [exchange for exchange in asked if not _wants_few_tokens(exchange)]
    return with_tools or [exchange for exchange in spoken if _system_prompt(exchange) == _system_prompt(spoken[0])]


def _system_prompt(exchange: Exchange) -> str:
    messages = WIRES[exchange.wire].messages(exchange.request)
    return messages[0].text if messages and messages[0].role == "system" else ""


def _wants_few_tokens(exchange: Exchange) -> bool:
    limit = exchange.request.get("max_tokens")
    return isinstance(limit, int) and limit <= FEW_TOKENS


class ExchangeLog:
    """Appends exchanges to a file."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8")

    def keep(self, exchange: Exchange) -> None:
        self._file.write(exchange.model_dump_json() + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def read_exchanges(path: Path) -> Iterator[Exchange]:
    """The exchanges in a log, packed or not; a last line that a killed gateway left half-written is passed over."""
    with open_plain(path) as plain, gzip.GzipFile(fileobj=plain) if path.suffix == ".gz" else plain as file:
        try:
            for line in iter(lambda: file.readline(MAX_BYTES), b""):
                if line.endswith(b"\n"):
                    yield Exchange.model_validate_json(line)
                elif len(line) == MAX_BYTES:
                    raise NotTaken(path, f"has a line of more than {MAX_BYTES} bytes")
        except (gzip.BadGzipFile, zlib.error, EOFError, ValidationError) as error:
            raise NotTaken(path, f"is damaged or of another version ({type(error).__name__})") from error
