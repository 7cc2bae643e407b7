"""Asking the provider until there is an answer: whole and understood, or the provider's refusal, or an outage.

Nothing of an answer reaches the agent before all of it is here. So an answer that breaks off is asked for again unseen, and what
the tries before it may have cost is known. Whose fault an error is, is decided here:

    400, 404, 413, 422, other 4xx        the agent's request caused it: delivered to the agent
    401, 403                             a clean request of our own is tried: if that is refused too, our key's; else the agent's
    402                                  our account's
    429, 5xx, silence, broken answers    tried again, then an outage: ours
"""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace

from rexbench.gateway.admission import travelling_headers
from rexbench.gateway.meter import LONGEST_ANSWER, upper_bound
from rexbench.gateway.providers.protocol import BrokeOff, Call, Provider, ProviderDown, Reply
from rexbench.gateway.settings import GatewaySettings
from rexbench.gateway.wires.protocol import Body, Reader, Usage, read_object

_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
"""Statuses that say nothing about the request: worth another try."""
_PASSING_KINDS = frozenset(
    (
        "overloaded_error",
        "api_error",
        "server_error",
        "internal_server_error",
        "timeout_error",
        "rate_limit_error",
        "rate_limit_exceeded",
    )
)
"""What an error is called that comes in the place of an answer and says nothing about the request either."""
_LONGEST_WAIT = 30.0
_LONGEST_ANSWER = 256 * 1024 * 1024
"""Bytes; an event for each of many tokens takes some hundreds of them."""
_ANSWER_SECONDS = 3600.0
_KEY_TRIES = 3
_KEY_HOLDS_SECONDS = 60.0
"""How long the word of a clean request on our key is taken for."""


@dataclass(frozen=True)
class Answered:
    """What the provider said in the end."""

    status: int
    headers: dict[str, str]
    content: bytes
    streamed: bool = False
    usage: Usage | None = None
    """None where it did not say."""
    complaint: str = ""
    """The provider's error, in its words."""
    outage: str = ""
    """Why it is ours; empty where it is not."""


@dataclass
class Asked:
    """What happened on the way to an answer."""

    call: Call
    """As it was last sent."""
    unlimited: Body | None = None
    """The request without the maximum that the gateway set, which not every provider takes."""
    tries: list[str] = field(default_factory=list)
    probes: Usage = field(default_factory=Usage)
    """What clean requests of our own have cost, which were to tell whose fault a refusal was."""


class Asking:
    """Asks one provider on behalf of one run."""

    def __init__(self, provider: Provider, settings: GatewaySettings) -> None:
        self._provider, self._settings = provider, settings
        self._key_held: tuple[float, str] = (-_KEY_HOLDS_SECONDS, "")

    async def ask(self, asked: Asked, lose: Callable[[], Awaitable[None]]) -> Answered:
        """Try until there is an answer, a refusal, or no patience left. `lose` is told of every answer that broke off."""
        until = time.monotonic() + self._settings.retry_seconds
        wait = self._settings.backoff_seconds
        while True:
            complaint, pause = "", 0.0
            try:
                reply = await self._provider.open(asked.call)
                if reply.status not in _PASSING:
                    answered = await read_reply(reply, asked.call, self._settings.stall_seconds)
                    if answered.status in (400, 422) and asked.unlimited is not None:
                        asked.call, asked.unlimited = replace(asked.call, body=asked.unlimited), None
                        continue
                    return await self._blamed(answered, asked)
                content = await _read(reply, self._settings.stall_seconds)
                complaint = f"{reply.status} {content[:200].decode(errors='replace')}"
                pause = _seconds(reply.headers.get("retry-after", ""))
            except BrokeOff as error:
                complaint = str(error)
                await lose()
            except ProviderDown as error:
                complaint = str(error)
            pause = max(pause, wait * random.uniform(0.5, 1.0))
            if time.monotonic() + pause > until:
                outage = f"The provider gave no answer for {self._settings.retry_seconds:g} s: {complaint[:500]}"
                return Answered(529, {}, b"", outage=outage)
            asked.tries.append(f"{complaint[:500]} (waited {pause:.1f} s)")
            await asyncio.sleep(pause)
            wait = min(wait * 2, _LONGEST_WAIT)

    async def _blamed(self, answered: Answered, asked: Asked) -> Answered:
        """The answer with whose fault it is, where it is an error."""
        if answered.status == 402:
            return replace(answered, outage=f"the provider wants to be paid (402): {answered.complaint}")
        if answered.status not in (401, 403):
            return answered
        since, refused = self._key_held
        if time.monotonic() - since > _KEY_HOLDS_SECONDS:
            refused = await self._try_key(asked)
            self._key_held = (time.monotonic(), refused)
        return replace(answered, outage=refused)

    async def _try_key(self, asked: Asked) -> str:
        """Why a clean request of our own is refused too; empty where it is not."""
        wire, model = asked.call.wire, asked.call.body["model"]
        clean = replace(asked.call, headers=travelling_headers(wire, {}), query="", body=wire.clean_request(model))
        size, most, complaint = len(clean.content), wire.maximum(clean.body), ""
        for _ in range(_KEY_TRIES):
            try:
                answered = await read_reply(await self._provider.open(clean), clean, self._settings.stall_seconds)
            except BrokeOff as error:
                complaint = str(error)
                asked.probes += upper_bound(size, 0, most or LONGEST_ANSWER)
                continue
            except ProviderDown as error:
                complaint = str(error)
                continue
            if answered.status == 200:
                asked.probes += answered.usage or upper_bound(size, 0, most, len(answered.content))
            if answered.status not in _PASSING:
                refused = answered.status in (401, 402, 403)
                return f"the provider refused the key ({answered.status}): {answered.complaint}" if refused else ""
            complaint = f"{answered.status} {answered.complaint}"
        return f"the provider refused the request, and gave no word on whether the key is good: {complaint}"


async def read_reply(reply: Reply, call: Call, stall_seconds: float) -> Answered:
    """All of an answer; raises `BrokeOff` where it does not come to its end or makes no sense."""
    content = await _read(reply, stall_seconds)
    if reply.status != 200:
        if reply.status < 400:
            raise ProviderDown(f"the provider answered with status {reply.status}")
        return Answered(reply.status, reply.headers, content, complaint=content[:500].decode(errors="replace"))
    if "event-stream" in reply.headers.get("content-type", ""):
        return _read_stream(reply, call, content)
    body = read_object(content)
    if body is None:
        raise BrokeOff(f"the answer is not JSON: {content[:80]!r}")
    error = body.get("error")
    if isinstance(error, dict) and error:
        _raise_passing(error)
        return Answered(200, reply.headers, content, complaint=str(error)[:500])
    return Answered(200, reply.headers, content, usage=call.wire.read_answer(body).usage)


def _read_stream(reply: Reply, call: Call, content: bytes) -> Answered:
    reader = Reader()
    for line in content.split(b"\n"):
        if line.startswith(b"data:") and line[5:].strip() not in (b"", b"[DONE]"):
            event = read_object(line[5:])
            if event is None:
                raise BrokeOff(f"the stream holds an event that is not JSON: {line[:80]!r}")
            call.wire.read_event(event, reader)
    usage = reader.usage if reader.told else None
    if reader.error is not None:
        _raise_passing(reader.error)
        return Answered(200, reply.headers, content, True, usage, str(reader.error)[:500])
    if not reader.whole:
        raise BrokeOff("the stream ended before the answer did")
    return Answered(200, reply.headers, content, True, usage)


def _raise_passing(error: Body) -> None:
    kinds = {str(error.get(name)) for name in ("type", "code")}
    if kinds & _PASSING_KINDS or kinds & {str(status) for status in _PASSING}:
        raise BrokeOff(f"the provider broke off: {str(error)[:300]}")


async def _read(reply: Reply, stall_seconds: float) -> bytes:
    """All chunks, none of which may be long in coming; what breaks off after a good beginning is told apart."""
    content = bytearray()
    try:
        async with asyncio.timeout(_ANSWER_SECONDS):
            async for chunk in _timed(reply.chunks, stall_seconds):
                content += chunk
                if len(content) > _LONGEST_ANSWER:
                    raise ProviderDown(f"the answer is longer than {_LONGEST_ANSWER} bytes")
    except (ProviderDown, TimeoutError) as error:
        why = str(error) or f"the answer took longer than {_ANSWER_SECONDS:g} s"
        raise (BrokeOff(why) if reply.status == 200 else ProviderDown(why)) from error
    finally:
        await reply.chunks.aclose()
    return bytes(content).replace(b"\r\n", b"\n")


async def _timed(chunks: AsyncIterator[bytes], stall_seconds: float) -> AsyncIterator[bytes]:
    while True:
        try:
            async with asyncio.timeout(stall_seconds):
                chunk = await anext(chunks)
        except StopAsyncIteration:
            return
        except TimeoutError as error:
            raise ProviderDown(f"the provider was silent for {stall_seconds:g} s in mid-answer") from error
        yield chunk


def _seconds(text: str) -> float:
    try:
        return min(60.0, max(0.0, float(text)))
    except ValueError:
        return 0.0
