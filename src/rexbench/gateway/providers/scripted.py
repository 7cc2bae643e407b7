"""A model that says what a script tells it to, with a provider's faults on demand. For tests and demonstrations, without a key."""

import asyncio
import json
from collections.abc import AsyncGenerator

from rexbench.gateway.dialect import answer_in_dialect, is_main
from rexbench.gateway.providers.protocol import Call, ProviderDown, Reply
from rexbench.gateway.script import Script, Turn
from rexbench.gateway.wires.choose import COUNT_TOKENS
from rexbench.gateway.wires.protocol import Answer, Usage

_JSON = {"content-type": "application/json"}
_EVENTS = {"content-type": "text/event-stream"}
_AFTER_THE_END = Turn.model_validate({"finish": "The script is at its end.", "usage": {"input": 0, "output": 0}})


class Scripted:
    """Answers main requests with the turns in order; side requests get a word that costs nothing."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._at = 0
        self._faults = 0

    async def open(self, call: Call) -> Reply:
        if call.path == COUNT_TOKENS:
            return _whole(200, {"input_tokens": max(1, len(call.content) // 4)})
        if not is_main(call.wire, call.body):
            return _given(call, Answer("ok", usage=Usage(), whole=True))
        turn = self._script.turns[self._at] if self._at < len(self._script.turns) else _AFTER_THE_END
        await asyncio.sleep(turn.delay)
        if turn.fault and self._faults < turn.times:
            self._faults += 1
            return self._faulty(call, turn)
        self._at, self._faults = self._at + 1, 0
        return _given(call, answer_in_dialect(turn, call.wire, call.body, call.number))

    def _faulty(self, call: Call, turn: Turn) -> Reply:
        fault = str(turn.fault)
        if fault.isdigit():
            return _whole(int(fault), call.wire.error(int(fault), f"scripted fault {fault}"))
        if fault == "drop":
            raise ProviderDown("the connection was dropped (scripted)")
        whole = _given(call, answer_in_dialect(turn, call.wire, call.body, call.number))
        return Reply(200, whole.headers, _broken(whole.chunks, fault))

    async def close(self) -> None:
        return None


async def _broken(chunks: AsyncGenerator[bytes, None], fault: str) -> AsyncGenerator[bytes, None]:
    """The beginning of an answer, and then what the fault is."""
    first = await anext(chunks)
    yield first if fault != "malformed" else first[: len(first) // 2] + b"\x00}\n\n"
    if fault == "stall":
        await asyncio.sleep(86_400)
    raise ProviderDown(f"the answer broke off (scripted {fault})")


def _given(call: Call, answer: Answer) -> Reply:
    if not call.streamed:
        return _whole(200, call.wire.write_answer(answer, call.body, call.number))

    async def events() -> AsyncGenerator[bytes, None]:
        for event in call.wire.write_events(answer, call.body, call.number):
            yield event

    return Reply(200, _EVENTS, events())


def _whole(status: int, body: object) -> Reply:
    async def once() -> AsyncGenerator[bytes, None]:
        yield json.dumps(body).encode()

    return Reply(status, _JSON, once())
