"""The gateway's ASGI application: every request of a run passes here, is understood, claimed for, asked, recorded, delivered.

An answer is delivered once it is whole and on record, streamed ones too; while one is on its way the agent hears that it is.
Whatever the agent does meanwhile, hanging up included, changes nothing about what is asked, counted and written down.
"""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from rexbench.gateway.admission import Refused, admitted, attached, travelling_headers, understood
from rexbench.gateway.asking import Answered, Asked, Asking
from rexbench.gateway.bodies import Bodies, HungUp
from rexbench.gateway.exchange import ExchangeLog
from rexbench.gateway.ledger import Begun, Ledger, Unrecorded
from rexbench.gateway.providers.protocol import Call, Provider
from rexbench.gateway.refusals import Tell
from rexbench.gateway.settings import GatewaySettings
from rexbench.gateway.wires.choose import PATHS, WIRES, canonical
from rexbench.gateway.wires.protocol import Body, Wire, events_of, read_object, within
from rexbench.text import printable

KEEP_ALIVE_SECONDS = 10.0
"""How often an agent that waits for a stream hears that it is still coming; programs give up on silence."""
_AT_ONCE = 16
"""Requests at the provider at a time: a flood would only be answered by 429."""


class Gateway:
    """One run's door to its model."""

    def __init__(self, settings: GatewaySettings, provider: Provider, log: ExchangeLog, tell: Tell) -> None:
        self._settings, self._tell = settings, tell
        self._asking, self._ledger = Asking(provider, settings), Ledger(settings, log, tell)
        self._bodies = Bodies(settings.body_bytes, settings.body_seconds)
        self._exchanges: set[asyncio.Task[Response]] = set()
        self._places = asyncio.Semaphore(_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        path = canonical(scope["path"])
        if scope["method"] in ("GET", "HEAD"):
            models = {"object": "list", "data": [{"id": name, "object": "model"} for name in self._settings.models]}
            await JSONResponse(models if path == "/v1/models" else {"gateway": "rexbench"})(scope, receive, send)
            return
        wire = WIRES[PATHS.get(path, "openai-chat")]
        with suppress(HungUp):
            try:
                if path not in PATHS or scope["method"] != "POST":
                    raise Refused(404, f"The gateway does not serve {scope['method']!a:.20} {path!a:.60}.")
                content = await self._bodies.read(receive, Headers(scope=scope).get("content-length", ""))
            except Refused as refused:
                await (await self._refuse(wire, path, b"", refused))(scope, receive, send)
                return
            try:
                await self._answer(wire, content, scope, receive, send)
            finally:
                self._bodies.release(len(content))

    async def close(self) -> None:
        """Let what is under way come to its end, for as long as the settings say; the rest is charged at its upper bound."""
        if self._exchanges:
            await asyncio.wait(self._exchanges, timeout=self._settings.drain_seconds)
        for exchange in self._exchanges:
            exchange.cancel()
        await asyncio.gather(*self._exchanges, return_exceptions=True)
        self._tell("refusals", str(self._ledger.refusals.count))

    async def _answer(self, wire: Wire, content: bytes, scope: Scope, receive: Receive, send: Send) -> None:
        gone = asyncio.create_task(_hang_up(receive))
        try:
            begun = self._begin(wire, content, scope, gone.done)
            exchange = asyncio.create_task(self._exchange(begun))
            self._exchanges.add(exchange)
            exchange.add_done_callback(self._exchanges.discard)
            await _deliver(exchange, begun.call, scope, receive, send)
        except Refused as refused:
            await (await self._refuse(wire, canonical(scope["path"]), content, refused))(scope, receive, send)
        finally:
            gone.cancel()

    def _begin(self, wire: Wire, content: bytes, scope: Scope, gone: Callable[[], bool]) -> Begun:
        """The request as it will be forwarded; refuses what may not be."""
        self._ledger.check()
        body = understood(wire, content)
        if self._settings.models and body["model"] not in self._settings.models:
            known = ", ".join(self._settings.models)
            raise Refused(404, f"The model {printable(body['model'], 60)} is not part of this run; it has {known}.")
        if not self._settings.allow_server_tools:
            body, behind = admitted(wire, body)
            for name in behind:
                self._ledger.refusals.tell_once(f"the field {name}, which stayed behind")
        options = body.get("stream_options") or {}
        unasked = wire.name == "openai-chat" and body.get("stream") is True and options.get("include_usage") is not True
        if unasked:  # without it a streamed chat answer does not say what it cost
            body = body | {"stream_options": options | {"include_usage": True}}
        query = "beta=true" if b"beta=true" in scope["query_string"].split(b"&") else ""
        headers = travelling_headers(wire, dict(Headers(scope=scope)))
        call = Call(self._ledger.next_number(), wire, canonical(scope["path"]), headers, body, query)
        return Begun(Asked(call), attached(body), gone, hide_usage=unasked)

    async def _exchange(self, begun: Begun) -> Response:
        """From the claim to the record; returns what the agent is to get."""
        wire = begun.call.wire
        try:
            async with self._places:  # before the claim: what is claimed for must be able to go on
                await self._ledger.claim(begun)
                if begun.gone():
                    raise HungUp
                self._ledger.begin(begun)
                answered = await self._ask(begun)
            await self._ledger.end(begun, answered)
        except Refused as refused:
            return await self._refuse(wire, begun.call.path, begun.call.content, refused)
        except Unrecorded as error:
            return JSONResponse(wire.error(529, str(error)), 529)
        except BaseException as error:  # hung up, called off at the end of the run, or a fault of ours: no claim is left standing
            if isinstance(error, Exception) and not isinstance(error, HungUp):
                self._tell("outage", f"The gateway failed: {type(error).__name__}: {printable(str(error), 300)}")
            await self._ledger.drop(begun)
            raise
        if answered.outage and not answered.content:
            return JSONResponse(wire.error(answered.status, answered.outage), answered.status)
        content = _without_usage(answered.content) if begun.hide_usage and answered.streamed else answered.content
        return Response(content, answered.status, answered.headers)

    async def _ask(self, begun: Begun) -> Answered:
        try:
            return await self._asking.ask(begun.asked, lambda: self._ledger.lose(begun))
        except Refused as refused:  # answers that broke off have used up the budget, which the ledger has told
            error = begun.call.wire.error(refused.status, str(refused))
            return Answered(
                refused.status, {"content-type": "application/json"}, json.dumps(error).encode(), complaint=str(refused)
            )

    async def _refuse(self, wire: Wire, path: str, content: bytes, refused: Refused) -> Response:
        error = await self._ledger.refuse(wire, path, content, refused)
        unread = refused.status in (404, 408, 413, 429) and not content
        return JSONResponse(error, refused.status, {"connection": "close"} if unread else None)


async def _hang_up(receive: Receive) -> None:
    """Ends when the agent does: after the body there is nothing else to hear."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _deliver(exchange: "asyncio.Task[Response]", call: Call, scope: Scope, receive: Receive, send: Send) -> None:
    """Hand over the answer once it is there; while a stream is waited for, say so in the protocol's own way."""
    alive = b'event: ping\ndata: {"type": "ping"}\n\n' if call.wire.name == "anthropic" else b": waiting\n\n"
    started = False
    while not (await asyncio.wait({exchange}, timeout=KEEP_ALIVE_SECONDS if call.streamed else None))[0]:
        if not started:
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
            started = True
        await send({"type": "http.response.body", "body": alive, "more_body": True})
    if exchange.cancelled():
        raise HungUp
    response = exchange.result()
    if not started:
        await response(scope, receive, send)
        return
    content = bytes(response.body)
    await send({"type": "http.response.body", "body": content if response.status_code == 200 else _error_event(call.wire, content)})


def _error_event(wire: Wire, content: bytes) -> bytes:
    """An error's body as an event of a stream that has begun."""
    error = read_object(content) or wire.error(529, content[:500].decode(errors="replace"))
    if wire.name == "openai-responses":
        error = {"type": "error", **within(error, "error")}
    return (b"" if wire.name == "openai-chat" else b"event: error\n") + b"data: " + json.dumps(error).encode() + b"\n\n"


def _without_usage(content: bytes) -> bytes:
    """A chat's stream without the event that only tells what it cost."""
    events = content.split(b"\n\n")
    return b"\n\n".join(one for one in events if not any(map(_is_usage, events_of(one.split(b"\n")))))


def _is_usage(event: Body) -> bool:
    return bool(event.get("usage")) and not event.get("choices")
