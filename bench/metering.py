"""Hostile requests against the meter: what the gateway records beside what a provider counts for itself.

    python bench/metering.py [--sequences 500] [--seed 1]

Each sequence is one run's gateway with a budget of its own before a provider that counts, breaks off, forgets to tell the usage and
refuses. The agent hangs up wherever it likes, asks forty times at once, and sends what is no request at all. Two things must hold:
recorded tokens and money are never below the provider's, and at most one request above the budget is answered.
"""

import argparse
import asyncio
import json
import random
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rexbench.gateway.exchange import Exchange, read_exchanges, settle_lost
from rexbench.gateway.meter import Budget, Price, cost_of
from rexbench.gateway.serve import serving
from rexbench.gateway.settings import SOCKET, ForwardSettings, GatewaySettings
from rexbench.gateway.wires.choose import PATHS, WIRES
from rexbench.gateway.wires.protocol import Answer, Body, Usage

PRICE = Price(input=2.0, output=10.0)
LONGEST = 100_000
HOSTILE = {
    "half a character": rb'{"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "\ud800"}], "input": "\ud800"}',
    "the same key twice": b'{"model": "m", "stream": true, "stream": false, "max_tokens": 9, "messages": [], "input": ""}',
    "a text for a boolean": b'{"model": "m", "stream": "false", "max_tokens": 9, "messages": [], "input": ""}',
    "a number for a message": b'{"model": "m", "max_tokens": 9, "messages": [1], "input": [1]}',
    "a great depth": b'{"model": "m", "max_tokens": 9, "metadata": ' + b"[" * 300 + b"]" * 300 + b', "messages": [], "input": ""}',
    "no end": b'{"model": "m", "messages": [',
    "nothing": b"",
    "bytes": b"\xff\xfe\x00",
    "an endless number": b'{"model": "m", "max_tokens": 1e999, "messages": [], "input": ""}',
    "less than nothing": b'{"model": "m", "max_tokens": -5000, "max_output_tokens": -5000, "messages": [], "input": ""}',
    "too much": b'{"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "' + b"x" * (2 * LONGEST) + b'"}]}',
}


@dataclass
class Counted:
    """What the provider has counted."""

    used: Usage = field(default_factory=Usage)
    usd: float = 0.0
    requests: dict[str, Usage] = field(default_factory=dict)
    """By the name that the agent gave each request; in the order in which they were last answered."""
    answers: int = 0

    def add(self, name: str, usage: Usage) -> None:
        self.used += usage
        self.usd += cost_of(usage, None, PRICE) or 0.0
        self.answers += 1
        self.requests[name] = self.requests.pop(name, Usage()) + usage

    def above(self, budget: Budget) -> int:
        """How many requests were answered that passed the budget."""
        tokens, usd, passed = 0, 0.0, 0
        for number, usage in enumerate(self.requests.values(), 1):
            tokens, usd = tokens + usage.total, usd + (cost_of(usage, None, PRICE) or 0.0)
            over = [budget.tokens is not None and tokens > budget.tokens, budget.usd is not None and usd > budget.usd + 1e-12]
            over.append(budget.requests is not None and number > budget.requests)
            passed += any(over)
        return passed


@asynccontextmanager
async def provider(chance: random.Random, counted: Counted) -> AsyncIterator[str]:
    """A provider on loopback that counts every answer which it begins."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            size = int(next(line for line in head.lower().splitlines() if line.startswith("content-length:")).split(":")[1])
            content = await reader.readexactly(size)
            path = head.split()[1].partition("?")[0]
            await asyncio.sleep(chance.choice((0, 0, 0.002, 0.02)))
            await _answer(writer, path, json.loads(content), size, chance, counted)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def _answer(writer: asyncio.StreamWriter, path: str, body: Body, size: int, chance: random.Random, counted: Counted) -> None:
    wire = WIRES[PATHS[path]]
    fault = chance.choices(("none", "untold", "cut", "malformed", "drop", "status"), (60, 12, 8, 4, 4, 12))[0]
    if fault == "drop":
        return
    if path.endswith("count_tokens") or fault == "status":
        status = 200 if path.endswith("count_tokens") else chance.choice((400, 403, 404, 422, 429, 500, 529))
        _send(writer, status, json.dumps({"input_tokens": 3} if status == 200 else wire.error(status, "no")).encode())
        return
    most = wire.maximum(body)
    text = "word " * chance.randint(1, 300)
    usage = Usage(
        chance.randint(1, size + 500), chance.randint(1, min(most, 4_000)) if most else chance.randint(1, len(text) + 500)
    )
    counted.add(str(body.get("user") or body.get("metadata", {}).get("user_id", "probe")), usage)
    made = Answer(text, usage=usage, whole=True)
    if not body.get("stream"):
        whole = wire.write_answer(made, body, 1)
        if fault == "untold":
            whole.pop("usage")
        content = json.dumps(whole).encode()
        _send(
            writer,
            200,
            content[: len(content) // 2] if fault in ("cut", "malformed") else content,
            len(content) if fault == "cut" else None,
        )
        return
    events = [_untold(event) if fault == "untold" else event for event in wire.write_events(made, body, 1)]
    if fault == "cut":
        events = events[: chance.randrange(len(events))]
    if fault == "malformed":
        events[chance.randrange(len(events))] = b'data: {"type": "content_bl\n\n'
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
    for event in events:
        writer.write(event)
        await asyncio.sleep(0)


def _untold(event: bytes) -> bytes:
    """An event without a word on what it cost."""
    head, mark, data = event.partition(b"data: ")
    if not data.startswith(b"{"):
        return event
    told = json.loads(data)
    for part in (told, told.get("message"), told.get("response")):
        if isinstance(part, dict):
            part.pop("usage", None)
    return head + mark + json.dumps(told).encode() + b"\n\n"


def _send(writer: asyncio.StreamWriter, status: int, content: bytes, declared: int | None = None) -> None:
    head = f"HTTP/1.1 {status} OK\r\ncontent-type: application/json\r\ncontent-length: {declared or len(content)}\r\n"
    writer.write(head.encode() + b"connection: close\r\n\r\n" + content)


@dataclass
class Agent:
    """An agent that means no good."""

    socket: Path
    chance: random.Random
    asked: int = 0

    async def act(self) -> None:
        """One hostile thing."""
        kind = self.chance.choices(("ask", "burst", "hang up", "nonsense", "slow"), (40, 12, 25, 22, 1))[0]
        if kind == "burst":
            await asyncio.gather(*(self._send(*self._request()) for _ in range(self.chance.randint(5, 40))))
        elif kind == "nonsense":
            await self._send(self.chance.choice(list(PATHS)), self.chance.choice(list(HOSTILE.values())))
        elif kind == "slow":
            await self._send(*self._request(), pause=0.5)
        else:
            await self._send(*self._request(), hang_up=kind == "hang up")

    def _request(self) -> tuple[str, bytes]:
        self.asked += 1
        path = self.chance.choices(list(PATHS), (4, 1, 4, 4))[0]
        text = "word " * self.chance.choice((1, 10, 100, 1_000))
        body: dict[str, Any] = {"model": "m", "stream": self.chance.random() < 0.6}
        name = f"request {self.asked}"
        if "messages" in path:
            body |= {"messages": [{"role": "user", "content": text}], "max_tokens": self.chance.randint(1, 3_000)}
            body |= {"metadata": {"user_id": name}}
        elif "chat" in path:
            body |= {"messages": [{"role": "user", "content": text}], "user": name}
            body |= {"max_tokens": self.chance.randint(1, 3_000)} if self.chance.random() < 0.5 else {}
        else:
            body |= {"input": text, "user": name}
            body |= {"max_output_tokens": self.chance.randint(1, 3_000)} if self.chance.random() < 0.5 else {}
        return path, json.dumps(body).encode()

    async def _send(self, path: str, content: bytes, hang_up: bool = False, pause: float = 0.0) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_unix_connection(str(self.socket))
            head = f"POST {path} HTTP/1.1\r\nhost: gateway\r\ncontent-length: {len(content)}\r\nconnection: close\r\n\r\n".encode()
            where = self.chance.choice(("head", "body", "sent", "begun", "later")) if hang_up else ""
            writer.write(head[: len(head) // 2] if where == "head" else head)
            writer.write(content[: len(content) // 2] if where == "body" or pause else content if where != "head" else b"")
            if pause:
                await asyncio.sleep(pause)
                writer.write(content[len(content) // 2 :])
            await writer.drain()
            if where == "begun":
                await reader.read(self.chance.randint(1, 400))
            elif where == "later":
                await asyncio.sleep(self.chance.random() * 0.02)
            elif not where:
                await reader.read()
            writer.close()


@dataclass(frozen=True)
class Result:
    """One sequence, counted on both sides."""

    budget: Budget
    counted: Counted
    exchanges: list[Exchange]
    asked: int

    @property
    def tokens(self) -> int:
        return sum(one.usage.input + one.usage.output for one in self.exchanges if one.usage)

    @property
    def usd(self) -> float:
        return sum(one.cost_usd or 0.0 for one in self.exchanges)

    @property
    def sound(self) -> bool:
        enough = self.tokens >= self.counted.used.total and self.usd >= self.counted.usd - 1e-9
        return enough and self.counted.above(self.budget) <= 1


async def play(seed: int, folder: Path) -> Result:
    """One sequence of hostile requests, the same for the same seed but for what happens at once."""
    chance = random.Random(seed)
    budgets = [
        {},
        {"tokens": chance.randint(500, 60_000)},
        {"usd": chance.uniform(0.001, 0.3)},
        {"requests": chance.randint(1, 20)},
    ]
    budget = Budget.model_validate(chance.choice(budgets))
    counted, exchanges = Counted(), folder / "exchanges.jsonl"
    async with provider(chance, counted) as url:
        target = ForwardSettings(base_url=url, key="sk-not-a-key", key_header="x-api-key")
        settings = GatewaySettings(
            provider=target, models=("m",), priced_as=None, price=PRICE, budget=budget, retry_seconds=0.5, backoff_seconds=0.01,
            stall_seconds=2.0, drain_seconds=5.0, body_seconds=0.2, body_bytes=LONGEST,
        )  # fmt: skip
        async with serving(settings, folder, exchanges, lambda event, detail: None):
            agent = Agent(folder / SOCKET, chance)
            for _ in range(chance.randint(2, 12)):
                await agent.act()
    settle_lost(exchanges)
    return Result(budget, counted, list(read_exchanges(exchanges)), agent.asked)


def play_all(sequences: int, seed: int) -> list[Result]:
    """All sequences, one after another."""
    found = []
    for number in range(sequences):
        with tempfile.TemporaryDirectory() as folder:
            found.append(asyncio.run(play(seed * 1_000_003 + number, Path(folder))))
    return found


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--sequences", type=int, default=500)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    found = play_all(given.sequences, given.seed)
    print(
        f"{'budget':10}{'sequences':>11}{'asked':>8}{'answers':>9}{'counted':>12}{'recorded':>12}{'usd':>9}{'recorded':>10}{'below':>7}{'above':>7}"
    )
    for kind in ("none", "tokens", "usd", "requests"):
        of_kind = [
            one for one in found if kind in one.budget.model_dump(exclude_none=True) or (kind == "none" and one.budget == Budget())
        ]
        below = sum(one.tokens < one.counted.used.total or one.usd < one.counted.usd - 1e-9 for one in of_kind)
        above = max((one.counted.above(one.budget) for one in of_kind), default=0)
        print(
            f"{kind:10}{len(of_kind):11}{sum(one.asked for one in of_kind):8}{sum(one.counted.answers for one in of_kind):9}"
            f"{sum(one.counted.used.total for one in of_kind):12}{sum(one.tokens for one in of_kind):12}"
            f"{sum(one.counted.usd for one in of_kind):9.3f}{sum(one.usd for one in of_kind):10.3f}{below:7}{above:7}"
        )
    unsound = [number for number, one in enumerate(found) if not one.sound]
    print("below: sequences whose record is below the provider's count; above: most requests answered above one budget")
    raise SystemExit(f"sequences that do not hold: {unsound}" if unsound else 0)


if __name__ == "__main__":
    main()
