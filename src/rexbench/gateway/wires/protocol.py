"""What every wire gives, and the protocol-free form of a request, a turn and an answer."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pydantic import BaseModel

WireName = Literal["anthropic", "openai-chat", "openai-responses"]
Body = dict[str, Any]
DEEPEST = 100
"""Levels of nesting; what reads records again gives up at two hundred."""


@dataclass(frozen=True)
class Usage:
    """Tokens of one answer, counted by the provider."""

    input: int = 0
    """All of the prompt, whatever came from a cache included."""
    output: int = 0
    cached: int = 0
    """The part of the input that was read from a cache."""
    cache_written: int = 0
    """The part of the input that was written to a cache."""
    cache_written_long: int = 0
    """The part of that which was written to be kept for an hour, at a higher price."""

    @property
    def total(self) -> int:
        return self.input + self.output

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            self.cache_written + other.cache_written,
            self.cache_written_long + other.cache_written_long,
        )


@dataclass(frozen=True)
class ToolCall:
    """A tool that the model asks for."""

    id: str
    name: str
    arguments: Body


@dataclass(frozen=True)
class Answer:
    """What a model said."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    """None where the provider did not say."""
    whole: bool = False
    """Whether the answer came to its end."""
    model: str = ""


@dataclass(frozen=True)
class Message:
    """One message of a prompt, for trajectories: plain text, and results of tools by the call's id."""

    role: str
    text: str
    results: tuple[tuple[str, str], ...] = ()


@dataclass
class Reader:
    """Collects a streamed answer event by event; the answer so far can be had at any time."""

    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    calls: dict[str, list[str]] = field(default_factory=dict)
    """Position -> id, name and the arguments' JSON so far."""
    usage: Usage | None = None
    """As far as it was told."""
    told: bool = False
    """Whether that is the count of the whole answer."""
    whole: bool = False
    model: str = ""
    error: Body | None = None
    """What the provider complained of in mid-stream."""

    def answer(self) -> Answer:
        calls = tuple(ToolCall(key, name, read_object(arguments) or {}) for key, name, arguments in self.calls.values())
        return Answer("".join(self.text), "".join(self.reasoning), calls, self.usage, self.whole, self.model)


class Wire(Protocol):
    """One protocol."""

    name: WireName
    shape: type[BaseModel]
    """What a request must look like to be read at all."""

    def maximum(self, request: Body) -> int | None:
        """The most tokens that the answer may have, all its choices together; None where the request does not say."""
        ...

    def with_maximum(self, request: Body, tokens: int) -> Body:
        """The request, held to this many tokens."""
        ...

    def clean_request(self, model: str) -> Body:
        """The shortest request that a sound key must be able to make."""
        ...

    def read_answer(self, body: Body) -> Answer:
        """A complete answer."""
        ...

    def read_event(self, event: Body, into: Reader) -> None:
        """One event of a streamed answer."""
        ...

    def messages(self, request: Body) -> list[Message]:
        """The prompt, flattened."""
        ...

    def tools(self, request: Body) -> dict[str, Body]:
        """The client-side tools that a request offers, with the JSON schema of their arguments."""
        ...

    def server_tools(self, request: Body) -> list[str]:
        """What the request asks the provider itself to run: web search, code execution, remote MCP."""
        ...

    def write_answer(self, answer: Answer, request: Body, number: int) -> Body:
        """A scripted answer as one body."""
        ...

    def write_events(self, answer: Answer, request: Body, number: int) -> Iterator[bytes]:
        """A scripted answer as a stream."""
        ...

    def error(self, status: int, message: str) -> Body:
        """An error as this protocol writes it."""
        ...


def sse(event: Body, name: str | None = None) -> bytes:
    """One server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(event, ensure_ascii=False)}\n\n".encode()


def events_of(lines: Iterable[bytes]) -> Iterator[Body]:
    """The JSON events in complete lines of a stream; anything else (comments, [DONE], broken JSON) is passed over."""
    for line in lines:
        if line.startswith(b"data:"):
            event = read_object(line[5:])
            if event:
                yield event


def pieces(text: str, size: int = 400) -> Iterator[str]:
    """A text in stream-sized pieces."""
    for at in range(0, len(text), size):
        yield text[at : at + size]


def flat(content: Any) -> str:
    """The text in a message's content, whichever of the usual shapes it has."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(flat(part) for part in content if part)
    if isinstance(content, dict):
        return flat(content.get("text") or content.get("content") or content.get("output") or "")
    return ""


def objects(value: Any) -> list[Body]:
    """The objects in what should be a list of them; whatever else is there is passed over."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def within(body: Body, name: str) -> Body:
    """The object under this name; an empty one where there is none."""
    value = body.get(name)
    return value if isinstance(value, dict) else {}


def count(value: Any) -> int | None:
    """A token count as a provider wrote it; None where it is missing or no count."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def read_object(content: bytes | str) -> Body | None:
    """The JSON object in what a provider wrote; None where there is none. One that is nested too deep to go through is empty."""
    try:
        value = json.loads(content)
    except ValueError:
        return None
    except RecursionError:
        return {}
    if not isinstance(value, dict):
        return None
    return {} if is_deep(value) else value


def is_deep(value: Any) -> bool:
    """Whether lists and objects stand inside each other more than `DEEPEST` times."""
    level = [value]
    for _ in range(DEEPEST):
        level = [child for item in level for child in children(item)]
        if not level:
            return False
    return True


def children(value: Any) -> list[Any]:
    """What a list or an object holds."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
