"""The gateway's ASGI application: every request of a run passes here, is checked, answered, metered and recorded.

Streams go through event by event: only whole events reach the agent, so that it never sees half of one and the meter sees all.
"""

import asyncio
import datetime
import json
import random
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from rexbench.gateway.exchange import Ending, Exchange, ExchangeLog, ExchangeUsage
from rexbench.gateway.meter import Meter, cost_of
from rexbench.gateway.providers.protocol import Call, Provider, ProviderDown, Reply
from rexbench.gateway.settings import GatewaySettings
from rexbench.gateway.wires.choose import COUNT_TOKENS, PATHS, WIRES, canonical
from rexbench.gateway.wires.protocol import Body, Reader, Usage, Wire, events_of

_PASSING = frozenset({408, 429, 500, 502, 503, 504, 520, 522, 524, 529})
"""Statuses that say nothing about the request: worth another try."""
_LONGEST_WAIT = 30.0
_LONGEST_REQUEST = 64 * 1024 * 1024

Tell = Callable[[str, str], None]
"""Tells the run's keeper of an event: limit, outage, refused."""


@dataclass
class _Begun:
    """An exchange under way."""

    call: Call
    hide_usage: bool
    """The agent did not ask for the stream's last event, which says what it cost, and does not get it."""
    since: float = field(default_factory=time.monotonic)
    at: str = field(default_factory=lambda: datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds"))
    tries: list[str] = field(default_factory=list)


class Gateway:
    """One run's door to its model."""

    def __init__(self, settings: GatewaySettings, provider: Provider, log: ExchangeLog, tell: Tell) -> None:
        self._settings, self._provider, self._log, self._tell = settings, provider, log, tell
        self._meter = Meter(settings.budget)
        self._count = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            response = await self._answer(Request(scope, receive))
            await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        path = canonical(request.url.path)
        if request.method in ("GET", "HEAD"):
            return self._list_models() if path == "/v1/models" else JSONResponse({"gateway": "rexbench"})
        if path not in PATHS:
            return JSONResponse({"error": {"message": f"The gateway does not serve {path}.", "type": "not_found_error"}}, 404)
        wire = WIRES[PATHS[path]]
        content = await request.body()
        body = _parsed(content)
        if body is None or len(content) > _LONGEST_REQUEST:
            return JSONResponse(wire.error(400, "The request is not a JSON object of a bearable size."), 400)
        unasked = wire.name == "openai-chat" and body.get("stream") and not (body.get("stream_options") or {}).get("include_usage")
        if unasked:  # the one parameter that is added: without it a streamed chat answer does not say what it cost
            body = body | {"stream_options": (body.get("stream_options") or {}) | {"include_usage": True}}
            content = json.dumps(body).encode()
        self._count += 1
        call = Call(self._count, wire, path, request.url.query, dict(request.headers), content, body)
        begun = _Begun(call, hide_usage=bool(unasked))
        refusal = self._refusal(wire, body, path)
        if refusal:
            return self._refuse(begun, *refusal)
        self._meter.requests += path != COUNT_TOKENS
        return await self._forward(begun)

    def _refusal(self, wire: Wire, body: Body, path: str) -> tuple[int, str] | None:
        limit = self._meter.over()
        if limit:
            self._tell("limit", limit)
            return 403, f"This run is over: {limit}. No further request will be answered."
        served = wire.server_tools(body)
        if served and not self._settings.allow_server_tools:
            self._tell("refused", f"tools that the provider would run: {', '.join(served)}")
            return 400, f"Tools that run at the provider are not allowed in this benchmark: {', '.join(served)}."
        model = str(body.get("model", ""))
        if self._settings.models and model not in self._settings.models:
            self._tell("refused", f"the model {model}")
            return 404, f"The model {model!r} is not part of this run; it has {', '.join(self._settings.models)}."
        return None

    def _refuse(self, begun: _Begun, status: int, message: str) -> Response:
        error = begun.call.wire.error(status, message)
        self._keep(begun, status, json.dumps(error), "refused", message, None)
        return JSONResponse(error, status)

    async def _forward(self, begun: _Begun) -> Response:
        """Try until there is an answer, a refusal, or no patience left."""
        until = begun.since + self._settings.retry_seconds
        wait = self._settings.backoff_seconds
        while True:
            complaint, asked = "", 0.0
            try:
                reply = await self._provider.open(begun.call)
                if reply.status not in _PASSING:
                    return await self._pass_on(begun, reply)
                content = await _read(reply, self._settings.stall_seconds)
                complaint = f"{reply.status} {content[:200].decode(errors='replace')}"
                asked = _seconds(reply.headers.get("retry-after", ""))
            except ProviderDown as error:
                complaint = str(error)
            pause = max(asked, wait * random.uniform(0.5, 1.0))
            if time.monotonic() + pause > until:
                return self._outage(begun, complaint)
            begun.tries.append(f"{complaint} (waited {pause:.1f} s)")
            await asyncio.sleep(pause)
            wait = min(wait * 2, _LONGEST_WAIT)

    def _outage(self, begun: _Begun, complaint: str) -> Response:
        message = f"The provider gave no answer for {self._settings.retry_seconds:g} s: {complaint}"
        self._tell("outage", message)
        error = begun.call.wire.error(529, message)
        self._keep(begun, 529, json.dumps(error), "outage", message, None)
        return JSONResponse(error, 529)

    async def _pass_on(self, begun: _Begun, reply: Reply) -> Response:
        if reply.status == 200 and begun.call.streamed:
            chunks = _timed(reply.chunks, self._settings.stall_seconds)
            events = _whole_events(chunks)
            first = await anext(events, None)  # a stream that breaks before its first event is tried again, unseen by the agent
            if first is None:
                raise ProviderDown("the stream was empty")
            return StreamingResponse(self._stream(begun, first, events), 200, reply.headers)
        content = await _read(reply, self._settings.stall_seconds)
        body = _parsed(content)
        if reply.status != 200:
            detail = content[:500].decode(errors="replace")
            if reply.status in (401, 403):
                self._tell("outage", f"the provider refused the key ({reply.status}): {detail}")
            self._keep(begun, reply.status, content.decode(errors="replace"), "error", detail, None)
            return Response(content, reply.status, reply.headers)
        if body is None:
            raise ProviderDown(f"the answer is not JSON: {content[:80]!r}")
        usage = None if begun.call.path == COUNT_TOKENS else begun.call.wire.read_answer(body).usage
        self._keep(begun, 200, content.decode(errors="replace"), "whole", "", usage)
        return Response(content, 200, reply.headers)

    async def _stream(self, begun: _Begun, first: list[bytes], events: AsyncIterator[list[bytes]]) -> AsyncIterator[bytes]:
        wire, reader, sent = begun.call.wire, Reader(), bytearray()
        ending: Ending = "left"
        detail = "the agent hung up"
        limit: str | None = None

        def take(event: bytes) -> bytes:
            """What of an event goes to the agent; nothing does once the budget is used up."""
            nonlocal limit
            if limit:
                return b""
            sent.extend(event)
            for parsed in events_of(event.split(b"\n")):
                wire.read_event(parsed, reader)
                if begun.hide_usage and parsed.get("usage") and not parsed.get("choices"):
                    return b""
            if reader.usage and not reader.whole:
                limit = self._meter.over(reader.usage, self._cost(reader.usage))
            return event

        try:
            yield b"".join(map(take, first))
            while not limit and (group := await anext(events, None)) is not None:
                passed = b"".join(map(take, group))
                if passed:
                    yield passed
            if limit:
                self._tell("limit", limit)
                ending, detail = "refused", limit
                yield _error_event(wire, f"This run is over: {limit}.")
                return
            ending, detail = ("whole", "") if reader.whole else ("cut", "the stream ended before the answer did")
        except ProviderDown as error:
            ending, detail = "cut", str(error)
            yield _error_event(wire, "The provider broke off.")
        finally:
            self._keep(begun, 200, sent.decode(errors="replace"), ending, detail, reader.usage)

    def _cost(self, usage: Usage | None) -> float | None:
        return cost_of(usage, self._settings.priced_as, self._settings.price) if usage else None

    def _keep(self, begun: _Begun, status: int, response: str, ending: Ending, detail: str, usage: Usage | None) -> None:
        cost = self._cost(usage)
        if status == 200 and begun.call.path != COUNT_TOKENS:
            self._meter.add(usage, cost)
        counted = ExchangeUsage(**usage.__dict__) if usage else None
        self._log.keep(
            Exchange(
                number=begun.call.number,
                wire=begun.call.wire.name,
                path=begun.call.path,
                at=begun.at,
                model=str(begun.call.body.get("model", "")),
                streamed=begun.call.streamed,
                request=begun.call.body,
                status=status,
                response=response,
                ending=ending,
                detail=detail,
                usage=counted,
                cost_usd=cost,
                seconds=round(time.monotonic() - begun.since, 4),
                tries=tuple(begun.tries),
            )
        )

    def _list_models(self) -> Response:
        return JSONResponse({"object": "list", "data": [{"id": name, "object": "model"} for name in self._settings.models]})


async def _read(reply: Reply, stall_seconds: float) -> bytes:
    return b"".join([chunk async for chunk in _timed(reply.chunks, stall_seconds)])


async def _timed(chunks: AsyncIterator[bytes], stall_seconds: float) -> AsyncIterator[bytes]:
    """Chunks, none of which may be long in coming."""
    while True:
        try:
            async with asyncio.timeout(stall_seconds):
                chunk = await anext(chunks)
        except StopAsyncIteration:
            return
        except TimeoutError as error:
            raise ProviderDown(f"the provider was silent for {stall_seconds:g} s in mid-answer") from error
        yield chunk


async def _whole_events(chunks: AsyncIterator[bytes]) -> AsyncIterator[list[bytes]]:
    """A stream cut at the blank lines between events, as they come in; one that is not JSON is not the agent's to meet."""
    waiting = b""
    async for chunk in chunks:
        waiting += chunk.replace(b"\r\n", b"\n")
        *events, waiting = waiting.split(b"\n\n")
        for event in events:
            _check_event(event)
        if events:
            yield [event + b"\n\n" for event in events]
    if waiting.strip():
        _check_event(waiting)
        yield [waiting + b"\n\n"]


def _check_event(event: bytes) -> None:
    for line in event.split(b"\n"):
        if line.startswith(b"data:") and line[5:].strip() not in (b"", b"[DONE]") and _parsed(line[5:]) is None:
            raise ProviderDown(f"the stream holds an event that is not JSON: {line[:80]!r}")


def _error_event(wire: Wire, message: str) -> bytes:
    error = wire.error(529, message)
    if wire.name == "anthropic":
        return b"event: error\ndata: " + json.dumps(error).encode() + b"\n\n"
    if wire.name == "openai-responses":
        return b"event: error\ndata: " + json.dumps({"type": "error", **error["error"]}).encode() + b"\n\n"
    return b"data: " + json.dumps(error).encode() + b"\n\n"


def _parsed(content: bytes) -> Body | None:
    try:
        value: Any = json.loads(content)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _seconds(text: str) -> float:
    try:
        return min(60.0, max(0.0, float(text)))
    except ValueError:
        return 0.0
