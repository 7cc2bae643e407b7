"""What passed between an agent and its model, one line each, on disk before the answer is delivered."""

import gzip
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from rexbench.gateway.wires.choose import COUNT_TOKENS, WIRES
from rexbench.gateway.wires.protocol import WireName
from rexbench.untrusted import MAX_BYTES, NotTaken, open_plain

LONGEST_LINE = 4 * MAX_BYTES
"""More than the longest request and its answer come to."""
FEW_TOKENS = 16
"""A request for no more than this asks for no answer: programs check their quota that way."""

Ending = Literal["whole", "cut", "refused", "error", "outage", "left", "lost"]
"""whole: answered in full. cut: the provider broke off (records of 0.1.0). refused: by the gateway (budget, tool, model, form).
error: the provider's own refusal (4xx). outage: no answer after all retries. left: the agent had hung up when the answer was there.
lost: the run or the gateway ended before the answer did."""


class ExchangeUsage(BaseModel):
    """Tokens of one exchange."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    input: int
    output: int
    cached: int
    cache_written: int
    cache_written_long: int = 0
    estimated: bool = False
    """The provider did not say all of it: an upper bound by the request's size and the answer's greatest length."""


class Exchange(BaseModel):
    """One request and its answer."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    number: int
    wire: WireName
    path: str
    at: str
    model: str
    streamed: bool
    """Whether the answer is a stream of events."""
    request: dict[str, Any]
    """As it was forwarded; of a refused one the digest, the size and the beginning."""
    status: int
    response: str
    """As the provider gave it, but for the key."""
    ending: Ending
    detail: str
    usage: ExchangeUsage | None
    """None where there is nothing to pay for."""
    cost_usd: float | None
    """None where the price is not known; never 0 for that."""
    seconds: float
    """From the request to the end of the answer."""
    tries: tuple[str, ...]
    """What went wrong before the answer came, each with the time waited."""


@dataclass(frozen=True)
class ExchangeFile:
    """The exchanges in a log, read anew each time they are gone through: a log may be larger than the memory."""

    path: Path

    def __iter__(self) -> Iterator[Exchange]:
        return read_exchanges(self.path) if self.path.exists() else iter(())


def main_conversation(exchanges: Iterable[Exchange]) -> Iterator[Exchange]:
    """The agent's own conversation, as opposed to titles, quota checks and token counts on the side.

    A program with tools offers them in every request of its conversation. One without (aider) keeps to its first system prompt
    there, and has another one when it asks, say, for a summary of what was said.
    """
    prompt: str | None = None
    with_tools = False
    for exchange in _asked(exchanges):
        with_tools = bool(WIRES[exchange.wire].tools(exchange.request))
        if with_tools:
            break
        if prompt is None and not _wants_few_tokens(exchange):
            prompt = _system_prompt(exchange)
    for exchange in _asked(exchanges):
        if with_tools:
            if WIRES[exchange.wire].tools(exchange.request):
                yield exchange
        elif not _wants_few_tokens(exchange) and _system_prompt(exchange) == prompt:
            yield exchange


def _asked(exchanges: Iterable[Exchange]) -> Iterator[Exchange]:
    return (one for one in exchanges if one.path != COUNT_TOKENS and one.ending not in ("refused", "lost"))


def _system_prompt(exchange: Exchange) -> str:
    messages = WIRES[exchange.wire].messages(exchange.request)
    return messages[0].text if messages and messages[0].role == "system" else ""


def _wants_few_tokens(exchange: Exchange) -> bool:
    limit = exchange.request.get("max_tokens")
    return isinstance(limit, int) and limit <= FEW_TOKENS


class ExchangeLog:
    """Appends exchanges to a file, whole or not at all.

    Beside it stands what is under way, each as it is to be charged should it never end: `settle_lost` adds it to the log of a
    gateway that was killed.
    """

    def __init__(self, path: Path, most_bytes: int) -> None:
        self._most = most_bytes
        self._ended, self._begun = _Lines(path), _Lines(_begun(path))

    @property
    def full(self) -> bool:
        return self._ended.size >= self._most

    def begin(self, exchange: Exchange) -> None:
        """Note that a request is about to be forwarded; raises `OSError` where nothing can be written down."""
        self._begun.append(exchange)

    def keep(self, exchange: Exchange) -> None:
        """Write down what passed, for good; raises `OSError` where it cannot be kept."""
        self._ended.append(exchange, durably=True)

    def close(self) -> None:
        self._ended.file.close()
        self._begun.file.close()


class _Lines:
    """A file of whole lines: one that does not fit on the disk leaves no trace."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("ab", buffering=0)
        self.size = path.stat().st_size

    def append(self, exchange: Exchange, durably: bool = False) -> None:
        line = left = exchange.model_dump_json().encode() + b"\n"
        try:
            while left:
                left = left[os.write(self.file.fileno(), left) :]
            if durably:
                os.fdatasync(self.file.fileno())
        except OSError:
            os.ftruncate(self.file.fileno(), self.size)
            raise
        self.size += len(line)


def settle_lost(path: Path) -> None:
    """Complete the log of a gateway that has ended: what was under way then is charged at its upper bound."""
    begun = _begun(path)
    if not begun.exists():
        return
    with path.open("r+b") as file:
        whole, ended = 0, set()
        for line in file:
            if line.endswith(b"\n"):
                whole += len(line)
                ended.add(_number(line))
        file.truncate(whole)  # a gateway that was killed may have left half a line
        file.seek(whole)
        noted = {_number(line): line for line in begun.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")}
        file.writelines(line for number, line in noted.items() if number not in ended)
    begun.unlink()


def read_exchanges(path: Path) -> Iterator[Exchange]:
    """The exchanges in a log, packed or not; a last line that a killed gateway left half-written is passed over."""
    with open_plain(path) as plain, gzip.GzipFile(fileobj=plain) if path.suffix == ".gz" else plain as file:
        try:
            for line in iter(lambda: file.readline(LONGEST_LINE), b""):
                if line.endswith(b"\n"):
                    yield Exchange.model_validate_json(line)
                elif len(line) == LONGEST_LINE:
                    raise NotTaken(path, f"has a line of more than {LONGEST_LINE} bytes")
        except (gzip.BadGzipFile, zlib.error, EOFError, ValidationError) as error:
            raise NotTaken(path, f"is damaged or of another version ({type(error).__name__})") from error


def _begun(path: Path) -> Path:
    return path.with_name(f"{path.name}.begun")


def _number(line: bytes) -> int | None:
    found = re.match(rb'\{"number":([0-9]+),', line)
    return int(found[1]) if found else None
