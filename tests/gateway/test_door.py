"""The gateway as a real process on a real socket, before a real HTTP server: forwarding, keys, budgets, faults, records."""

import json
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from rexbench.gateway.door import Door, Events
from rexbench.gateway.exchange import Exchange, read_exchanges
from rexbench.gateway.meter import Budget, Price
from rexbench.gateway.wires.protocol import Answer, Body, Wire
from tests.gateway.scene import BODIES, KEY, ask_and_hang_up, settings_for
from tests.gateway.upstream import Upstream, provider

Opened = Callable[..., tuple[Door, httpx.Client]]


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    with provider() as served:
        yield served


@pytest.fixture
def opened(tmp_path: Path, upstream: Upstream) -> Iterator[Opened]:
    """Starts a gateway before the upstream and gives it with a client."""
    with ExitStack() as stack:

        def start(**changes: Any) -> tuple[Door, httpx.Client]:
            door = stack.enter_context(
                Door(settings_for(upstream, **changes), tmp_path / "door", tmp_path / "exchanges.jsonl", os.environ)
            )
            door.wait_ready()
            transport = httpx.HTTPTransport(uds=str(door.socket))
            return door, stack.enter_context(httpx.Client(transport=transport, base_url="http://gateway", timeout=30))

        yield start


def told(door: Door) -> Events:
    """What the gateway has told, once it is stopped: until then an event may be on its way."""
    door.__exit__(None, None, None)
    return door.events


def exchanges(tmp_path: Path) -> list[Exchange]:
    return list(read_exchanges(tmp_path / "exchanges.jsonl"))


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("path", BODIES)
def test_requests_keep_their_meaning_and_get_the_key(
    path: str, streamed: bool, opened: Opened, upstream: Upstream, tmp_path: Path
) -> None:
    _, client = opened(price=Price(input=2.0, output=10.0, cached=1.0))
    sent = BODIES[path] | ({"stream": True} if streamed else {}) | {"temperature": 0.5, "tool_choice": {"type": "auto"}}
    headers = {"x-api-key": "dummy", "authorization": "Bearer dummy"}
    response = client.post(path + "?beta=true&other=1", json=sent, headers=headers)
    assert response.status_code == 200 and "Done." in response.text and response.headers["x-request-id"] == "r-1"
    seen = upstream.requests[0]
    added = {"stream_options": {"include_usage": True}} if streamed and "chat" in path else {}
    assert seen["body"] == sent | added
    assert seen["path"] == path + "?beta=true"
    assert seen["headers"]["x-api-key"] == KEY and "dummy" not in str(seen["headers"])
    (exchange,) = exchanges(tmp_path)
    assert exchange.usage and (exchange.usage.input, exchange.usage.output, exchange.usage.cached) == (1000, 100, 200)
    assert exchange.cost_usd == pytest.approx((800 * 2 + 200 * 1 + 100 * 10) / 1e6)
    assert exchange.ending == "whole" and not exchange.usage.estimated


def test_only_known_headers_and_fields_travel(opened: Opened, upstream: Upstream) -> None:
    door, client = opened()
    betas = "interleaved-thinking-2025-05-14,files-api-2025-04-14,mcp-client-2025-04-04,claude-code-20250219"
    headers = {"anthropic-beta": betas, "openai-organization": "org-x", "x-forwarded-for": "1.2.3.4", "cookie": "a=b"}
    body = BODIES["/v1/messages"] | {"unheard_of": {"search": True}}
    assert client.post("/v1/messages", json=body, headers=headers).status_code == 200
    seen = upstream.requests[0]
    assert seen["headers"]["anthropic-beta"] == "interleaved-thinking-2025-05-14,claude-code-20250219"
    assert not {"openai-organization", "x-forwarded-for", "cookie"} & {name.lower() for name in seen["headers"]}
    assert seen["body"] == BODIES["/v1/messages"] and "unheard_of" in told(door).refused[0]


def test_the_usage_that_the_gateway_asked_for_stays_with_the_gateway(opened: Opened) -> None:
    _, client = opened()
    body = BODIES["/v1/chat/completions"] | {"stream": True}
    assert "usage" not in client.post("/v1/chat/completions", json=body).text
    asked = body | {"stream_options": {"include_usage": True}}
    assert "usage" in client.post("/v1/chat/completions", json=asked).text


def test_the_key_is_in_no_answer_and_no_record(opened: Opened, upstream: Upstream, tmp_path: Path) -> None:
    _, client = opened()
    upstream.behave = lambda number: 401
    response = client.post("/v1/messages", json=BODIES["/v1/messages"])
    assert response.status_code == 401 and "told 401" in response.text and KEY not in response.text
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


def test_an_unknown_model_has_an_unknown_cost_never_zero(opened: Opened, tmp_path: Path) -> None:
    _, client = opened(priced_as="anthropic/no-such-model")
    client.post("/v1/messages", json=BODIES["/v1/messages"])
    (exchange,) = exchanges(tmp_path)
    assert exchange.cost_usd is None and exchange.usage and exchange.usage.output == 100


@pytest.mark.parametrize("fault", [429, 500, 529, "drop"])
def test_passing_faults_are_tried_again_unseen(fault: int | str, opened: Opened, upstream: Upstream, tmp_path: Path) -> None:
    _, client = opened()
    upstream.behave = lambda number: fault if number <= 2 else 200
    response = client.post("/v1/messages", json=BODIES["/v1/messages"])
    assert response.status_code == 200
    assert len(exchanges(tmp_path)[0].tries) == 2 and len(upstream.requests) == 3


@pytest.mark.parametrize("fault", ["cut", "malformed"])
@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_an_answer_that_breaks_off_is_tried_again_unseen_and_paid_for(
    fault: str, streamed: bool, opened: Opened, upstream: Upstream, tmp_path: Path
) -> None:
    _, client = opened()
    upstream.behave = lambda number: fault if number == 1 else 200
    response = client.post("/v1/responses", json=BODIES["/v1/responses"] | {"stream": streamed})
    assert response.status_code == 200 and "Done." in response.text and "content_bl" not in response.text
    (exchange,) = exchanges(tmp_path)
    assert exchange.ending == "whole" and len(exchange.tries) == 1
    assert exchange.usage and exchange.usage.estimated and exchange.usage.input > 2 * 1000, "both answers are charged"


def test_a_lasting_outage_ends_as_one(opened: Opened, upstream: Upstream, tmp_path: Path) -> None:
    door, client = opened(retry_seconds=0.5)
    upstream.behave = lambda number: 503
    assert client.post("/v1/messages", json=BODIES["/v1/messages"]).status_code == 529
    assert told(door).outage and exchanges(tmp_path)[0].ending == "outage"


@pytest.mark.parametrize(
    ("budget", "answers"),
    [(Budget(requests=2), 2), (Budget(tokens=1500), 2), (Budget(usd=0.005), 2)],
    ids=["requests", "tokens", "usd"],
)
def test_at_its_limit_the_agent_gets_a_proper_error(budget: Budget, answers: int, opened: Opened, upstream: Upstream) -> None:
    door, client = opened(budget=budget, price=Price(input=2.0, output=10.0))
    statuses = [client.post("/v1/chat/completions", json=BODIES["/v1/chat/completions"]) for _ in range(4)]
    assert [response.status_code for response in statuses] == [200] * answers + [403] * (4 - answers)
    assert statuses[-1].json()["error"]["type"] == "insufficient_quota"
    assert told(door).limit and len(upstream.requests) == answers


def test_tools_of_the_provider_are_refused_unless_allowed(opened: Opened, upstream: Upstream) -> None:
    door, client = opened()
    body = BODIES["/v1/messages"] | {"tools": [{"type": "web_search_20250305", "name": "web_search"}]}
    assert client.post("/v1/messages", json=body).status_code == 400
    assert not upstream.requests and "web_search" in told(door).refused[0]


def test_tools_of_the_provider_pass_where_they_are_allowed(opened: Opened) -> None:
    _, client = opened(allow_server_tools=True)
    body = BODIES["/v1/messages"] | {"tools": [{"type": "web_search_20250305", "name": "web_search"}]}
    assert client.post("/v1/messages", json=body).status_code == 200


def test_a_model_that_is_not_the_runs_is_refused(opened: Opened, upstream: Upstream) -> None:
    door, client = opened()
    assert client.post("/v1/messages", json=BODIES["/v1/messages"] | {"model": "larger"}).status_code == 404
    assert not upstream.requests and "larger" in told(door).refused[0]


def test_counting_tokens_passes_and_costs_nothing(opened: Opened, upstream: Upstream, tmp_path: Path) -> None:
    _, client = opened(budget=Budget(requests=1))
    for _ in range(3):
        assert client.post("/v1/messages/count_tokens", json=BODIES["/v1/messages"]).status_code == 200
    assert client.post("/v1/messages", json=BODIES["/v1/messages"]).status_code == 200
    assert [exchange.usage is None for exchange in exchanges(tmp_path)] == [True, True, True, False]


def test_what_is_no_request_is_answered_with_an_error_and_counted(opened: Opened, upstream: Upstream) -> None:
    door, client = opened()
    assert client.post("/v1/messages", content=b"{").status_code == 400
    assert client.post("/v1/images", json={}).status_code == 404
    assert client.put("/v1/messages", json=BODIES["/v1/messages"]).status_code == 404
    assert client.get("/v1/models").json()["data"][0]["id"] == "m"
    assert not upstream.requests and told(door).refusals == 3


def test_it_ends_with_its_keeper(opened: Opened) -> None:
    door, client = opened()
    client.close()
    door.__exit__(None, None, None)
    assert door.dead


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "told to stop"])
def test_it_does_not_wait_for_answers_that_nobody_will_ask_for(end: signal.Signals, upstream: Upstream, tmp_path: Path) -> None:
    asked, over = threading.Event(), threading.Event()

    def answer(wire: Wire, body: Body) -> Answer:
        asked.set()
        over.wait(60)
        return Answer("late", whole=True)

    upstream.answer = answer
    settings = settings_for(upstream, drain_seconds=100)
    keeper = os.fork()
    if keeper == 0:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        try:
            with Door(settings, tmp_path / "door", tmp_path / "exchanges.jsonl", os.environ) as door:
                door.wait_ready()
                (tmp_path / "pid").write_text(str(door.pid))
                ask_and_hang_up(door.socket, "/v1/messages", json.dumps(BODIES["/v1/messages"]).encode())
                signal.pause()
        finally:
            os._exit(0)
    assert asked.wait(60)
    gateway = os.pidfd_open(int((tmp_path / "pid").read_text()))
    os.kill(keeper, end)
    gone = select.poll()
    gone.register(gateway, select.POLLIN)
    assert gone.poll(60_000), "it is gone long before the hundred seconds that it has for answers"
    over.set()
    os.waitpid(keeper, 0)
    os.close(gateway)
