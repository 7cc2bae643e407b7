"""What every wire gives, and the protocol-free form of a request, a turn and an answer."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

WireName = Literal["anthropic", "openai-chat", "openai-responses"]
Body = dict[str, Any]


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

    @property
    def total(self) -> int:
        return self.input + self.output


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
    calls: dict[int, list[str]] = field(default_factory=dict)
    """Position -> id, name and the arguments' JSON so far."""
    usage: Usage | None = None
    whole: bool = False
    model: str = ""

    def answer(self) -> Answer:
        calls = tuple(ToolCall(key, name, _object(arguments)) for key, name, arguments in self.calls.values())
        return Answer("".join(self.text), "".join(self.reasoning), calls, self.usage, self.whole, self.model)


class Wire(Protocol):
    """One protocol."""

    name: WireName

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
            event = _object(line[5:].decode(errors="replace"))
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


def count(value: Any) -> int:
    """A token count as a provider wrote it; 0 where it is missing or no number."""
    return value if isinstance(value, int) and value > 0 else 0


def _object(text: str) -> Body:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
