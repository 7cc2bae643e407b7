"""The gateway as a real process on a real socket, before a real HTTP server: forwarding, keys, budgets, faults, records."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from rexbench.gateway.door import Door, Events
from rexbench.gateway.exchange import Exchange, read_exchanges
from rexbench.gateway.meter import Budget, Price
from rexbench.gateway.settings import ForwardSettings, GatewaySettings
from tests.gateway.upstream import Upstream, provider

KEY = "sk-real-0123456789abcdef"
BODIES: dict[str, dict[str, Any]] = {
    "/v1/messages": {"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": "hi"}]},
    "/v1/chat/completions": {"model": "m", "messages": [{"role": "user", "content": "hi"}]},
    "/v1/responses": {"model": "m", "input": "hi"},
}
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
            target = ForwardSettings(base_url=upstream.url, key=KEY, key_header=changes.pop("key_header", "x-api-key"))
            values: dict[str, Any] = {"models": ("m",), "priced_as": None, "retry_seconds": 3, "backoff_seconds": 0.05}
            settings = GatewaySettings(provider=target, **(values | changes))
            door = stack.enter_context(Door(settings, tmp_path / "door", tmp_path / "exchanges.jsonl", os.environ))
            door.wait_ready()
            transport = httpx.HTTPTransport(uds=str(door.socket))
            return door, stack.enter_context(httpx.Client(transport=transport, base_url="http://gateway", timeout=30))

        yield start


def told(door: Door) -> Events:
    """What the gateway has told, once it is stopped: until then an event may be on its way."""
    door.__exit__(None, None, None)
    return door.events


def exchanges(tmp_path: Path) -> list[Exchange]:
    return list(read_exchanges(tmp_path / "exchanges.jsonl", os.environ))


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("path", BODIES)
def test_requests_pass_untouched_but_for_the_key(
    path: str, streamed: bool, opened: Opened, upstream: Upstream, tmp_path: Path
) -> None:
    _, client = opened(price=Price(input=2.0, output=10.0, cached=1.0))
    sent = BODIES[path] | ({"stream": True} if streamed else {}) | {"temperature": 0.5, "unheard_of": [1]}
    headers = {"x-api-key": "dummy", "authorization": "Bearer dummy", "anthropic-beta": "a,b"}
    response = client.post(path + "?beta=true", json=sent, headers=headers)
    assert response.status_code == 200 and "Done." in response.text and response.headers["x-request-id"] == "r-1"
    seen = upstream.requests[0]
    added = {"stream_options": {"include_usage": True}} if streamed and "chat" in path else {}
    assert seen["body"] == sent | added
    assert seen["path"] == path + "?beta=true" and seen["headers"]["anthropic-beta"] == "a,b"
    assert seen["headers"]["x-api-key"] == KEY and "dummy" not in str(seen["headers"])
    (exchange,) = exchanges(tmp_path)
    assert exchange.usage and (exchange.usage.input, exchange.usage.output, exchange.usage.cached) == (1000, 100, 200)
    assert exchange.cost_usd == pytest.approx((800 * 2 + 200 * 1 + 100 * 10) / 1e6)
    assert exchange.ending == "whole"


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


def test_a_refused_key_is_told_as_an_outage(opened: Opened, upstream: Upstream) -> None:
    door, client = opened()
    upstream.behave = lambda number: 401
    client.post("/v1/messages", json=BODIES["/v1/messages"])
    assert "refused the key" in str(told(door).outage)


def test_an_unknown_model_has_an_unknown_cost_never_zero(opened: Opened, tmp_path: Path) -> None:
    _, client = opened(priced_as="anthropic/no-such-model")
    client.post("/v1/messages", json=BODIES["/v1/messages"])
    assert exchanges(tmp_path)[0].cost_usd is None


@pytest.mark.parametrize("fault", [429, 500, 529, "drop"])
def test_passing_faults_are_tried_again_unseen(fault: int | str, opened: Opened, upstream: Upstream, tmp_path: Path) -> None:
    _, client = opened()
    upstream.behave = lambda number: fault if number <= 2 else 200
    response = client.post("/v1/messages", json=BODIES["/v1/messages"])
    assert response.status_code == 200
    assert len(exchanges(tmp_path)[0].tries) == 2 and len(upstream.requests) == 3


def test_a_malformed_stream_is_tried_again_where_the_agent_saw_nothing_yet(opened: Opened, upstream: Upstream) -> None:
    _, client = opened()
    upstream.behave = lambda number: "malformed" if number == 1 else 200
    body = BODIES["/v1/responses"] | {"stream": True}
    with client.stream("POST", "/v1/responses", json=body) as response:
        content = response.read().decode()
    assert "content_bl" not in content


def test_a_lasting_outage_ends_as_one(opened: Opened, upstream: Upstream, tmp_path: Path) -> None:
    door, client = opened(retry_seconds=0.5)
    upstream.behave = lambda number: 503
    assert client.post("/v1/messages", json=BODIES["/v1/messages"]).status_code == 529
    assert told(door).outage and exchanges(tmp_path)[0].ending == "outage"


def test_a_cut_stream_is_on_record_as_cut(opened: Opened, upstream: Upstream, tmp_path: Path) -> None:
    _, client = opened()
    upstream.behave = lambda number: "cut"
    body = BODIES["/v1/messages"] | {"stream": True}
    content = client.post("/v1/messages", json=body).text
    assert "event: error" in content and exchanges(tmp_path)[0].ending == "cut"


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


def test_a_stream_is_ended_in_the_middle_when_the_budget_is_used_up(opened: Opened, tmp_path: Path) -> None:
    door, client = opened(budget=Budget(tokens=1050))
    content = client.post("/v1/messages", json=BODIES["/v1/messages"] | {"stream": True}).text
    assert "message_start" in content and "message_stop" not in content and "This run is over" in content
    assert told(door).limit and exchanges(tmp_path)[0].ending == "refused"


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
    assert not upstream.requests and told(door).refused == ["the model larger"]


def test_counting_tokens_passes_and_costs_nothing(opened: Opened, upstream: Upstream, tmp_path: Path) -> None:
    _, client = opened(budget=Budget(requests=1))
    for _ in range(3):
        assert client.post("/v1/messages/count_tokens", json=BODIES["/v1/messages"]).status_code == 200
    assert client.post("/v1/messages", json=BODIES["/v1/messages"]).status_code == 200
    assert [exchange.usage is None for exchange in exchanges(tmp_path)] == [True, True, True, False]


def test_what_is_no_request_is_answered_with_an_error(opened: Opened, upstream: Upstream) -> None:
    _, client = opened()
    assert client.post("/v1/messages", content=b"{").status_code == 400
    assert client.post("/v1/images", json={}).status_code == 404
    assert client.get("/v1/models").json()["data"][0]["id"] == "m"
    assert not upstream.requests


def test_it_ends_with_its_keeper(opened: Opened) -> None:
    door, client = opened()
    client.close()
    door.__exit__(None, None, None)
    assert door.dead
