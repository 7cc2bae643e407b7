"""The recorded answers of an earlier run, given again in their order: the same patch, for nothing."""

import json
from collections import deque
from collections.abc import AsyncGenerator, Iterable

from rexbench.gateway.dialect import is_main
from rexbench.gateway.exchange import Exchange
from rexbench.gateway.providers.protocol import Call, Reply
from rexbench.gateway.wires.choose import WIRES

Lane = tuple[str, bool, bool]


class Replay:
    """Answers the n-th request of a kind with what the n-th of that kind was answered with."""

    def __init__(self, exchanges: Iterable[Exchange]) -> None:
        self._lanes: dict[Lane, deque[tuple[int, str]]] = {}
        for exchange in exchanges:
            if exchange.ending == "whole":
                main = is_main(WIRES[exchange.wire], exchange.request)
                self._lanes.setdefault((exchange.path, exchange.streamed, main), deque()).append(
                    (exchange.status, exchange.response)
                )

    async def open(self, call: Call) -> Reply:
        lane = self._lanes.get((call.path, call.streamed, is_main(call.wire, call.body)))
        if not lane:
            complaint = "The recorded run has no further answer to a request of this kind."
            return Reply(404, {"content-type": "application/json"}, _once(json.dumps(call.wire.error(404, complaint)).encode()))
        status, response = lane.popleft()
        kind = "text/event-stream" if call.streamed else "application/json"
        return Reply(status, {"content-type": kind}, _once(response.encode()))

    async def close(self) -> None:
        return None


async def _once(content: bytes) -> AsyncGenerator[bytes, None]:
    yield content
