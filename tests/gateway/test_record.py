"""What is delivered is on record, whatever the agent, the provider, the disk or the machine does."""

import json
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from rexbench.gateway import app
from rexbench.gateway.door import Door
from rexbench.gateway.exchange import ExchangeFile, main_conversation, read_exchanges
from rexbench.gateway.meter import Budget, Price
from rexbench.gateway.settings import SOCKET
from rexbench.gateway.wires.protocol import Answer, Usage
from tests.gateway.scene import BODIES, CHAT, MESSAGES, RESPONSES, ask_and_hang_up, gateway_here, settings_for
from tests.gateway.upstream import provider
from tests.small_disk import small_disk


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("path", BODIES)
def test_an_answer_without_usage_is_charged_its_upper_bound_and_marked(path: str, streamed: bool, tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream, price=Price(input=2.0, output=10.0)), tmp_path / "g") as here:
        upstream.behave = lambda number: "untold"
        assert here.client.post(path, json=BODIES[path] | {"stream": streamed}).status_code == 200
        (exchange,) = here.exchanges()
    assert exchange.usage and exchange.usage.estimated and exchange.usage.input >= 1000
    assert exchange.usage.output >= (99 if path == MESSAGES else 1000) and exchange.cost_usd
    assert exchange.ending == "whole"


@pytest.mark.parametrize(
    "usage", [{}, {"prompt_tokens": None}, {"prompt_tokens": 5}, {"prompt_tokens": -5, "completion_tokens": -1}, 7, []]
)
def test_a_usage_that_says_nothing_is_no_usage(usage: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rexbench.gateway.wires.openai_chat._written", lambda told: usage)
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        assert here.client.post(CHAT, json=BODIES[CHAT]).status_code == 200
        (exchange,) = here.exchanges()
    assert exchange.usage and exchange.usage.estimated


@pytest.mark.parametrize("path", BODIES)
def test_a_stream_that_tells_only_a_first_count_is_charged_its_upper_bound(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        upstream.behave = lambda number: "first count" if number == 1 else 200
        here.client.post(path, json=BODIES[path] | {"stream": True})
        (exchange,) = here.exchanges()
    assert exchange.usage and exchange.usage.estimated and exchange.usage.output > 90


@pytest.mark.parametrize("path", BODIES)
def test_after_a_hang_up_the_answer_is_read_to_its_end(path: str, tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        asked = threading.Event()
        upstream.answer = lambda wire, body: (asked.set(), time.sleep(0.5), Answer("Done.", usage=Usage(1000, 100), whole=True))[2]
        content = json.dumps(BODIES[path] | {"stream": True}).encode()
        ask_and_hang_up(here.folder / SOCKET, path, content)
        here.stop() if asked.wait(10) else None
    (exchange,) = here.exchanges()
    assert exchange.ending == "left" and exchange.usage and (exchange.usage.input, exchange.usage.output) == (1000, 100)
    assert list(main_conversation([exchange])) == [exchange]


def test_what_takes_too_long_at_the_end_of_a_run_is_charged_its_upper_bound(tmp_path: Path) -> None:
    asked, over = threading.Event(), threading.Event()
    with provider() as upstream, gateway_here(settings_for(upstream, drain_seconds=0.2), tmp_path / "g") as here:
        upstream.answer = lambda wire, body: (asked.set(), over.wait(60), Answer("late", usage=Usage(5, 5), whole=True))[2]
        ask_and_hang_up(here.folder / SOCKET, MESSAGES, json.dumps(BODIES[MESSAGES]).encode())
        assert asked.wait(30)
    over.set()
    (exchange,) = here.exchanges()
    assert exchange.ending == "lost" and exchange.usage and exchange.usage.estimated and exchange.usage.output == 99


def test_what_a_killed_gateway_had_under_way_is_charged_its_upper_bound(tmp_path: Path) -> None:
    asked, over = threading.Event(), threading.Event()
    with provider() as upstream:
        answers = iter([Answer("Done.", usage=Usage(1000, 100), whole=True)])

        def answer(wire: object, body: object) -> Answer:
            found = next(answers, None)
            if found is None:
                asked.set()
                over.wait(60)
            return found or Answer("late", usage=Usage(5, 5), whole=True)

        upstream.answer = answer
        log = tmp_path / "exchanges.jsonl"
        with Door(settings_for(upstream), tmp_path / "door", log, os.environ) as door:
            door.wait_ready()
            with httpx.Client(transport=httpx.HTTPTransport(uds=str(door.socket)), base_url="http://gateway") as client:
                assert client.post(MESSAGES, json=BODIES[MESSAGES]).status_code == 200
            ask_and_hang_up(door.socket, MESSAGES, json.dumps(BODIES[MESSAGES]).encode())
            assert asked.wait(30)
            os.kill(door.pid, signal.SIGKILL)
    over.set()
    first, second = read_exchanges(log)
    assert (first.ending, second.ending) == ("whole", "lost")
    assert second.usage and second.usage.estimated and second.usage.output == 99


@pytest.mark.skipif(os.getuid() != 0, reason="mounting a small disk is root's")
def test_an_exchange_that_cannot_be_written_down_has_no_answer(tmp_path: Path) -> None:
    with provider() as upstream, small_disk(tmp_path / "disk", "1m") as disk:
        with gateway_here(settings_for(upstream), tmp_path / "disk" / "g") as here:
            body = BODIES[CHAT] | {"messages": [{"role": "user", "content": "x" * 5_000}]}
            assert here.client.post(CHAT, json=body).status_code == 200
            disk.fill()
            refused = [here.client.post(CHAT, json=body) for _ in range(30)]  # the last page of a file has room for some notes
            assert {one.status_code for one in refused} == {529} and "could not be written down" in refused[0].text
            asked = len(upstream.requests)
            assert here.client.post(CHAT, json=body).status_code == 529
            assert len(upstream.requests) == asked < 20, "what cannot be noted is not asked"
            disk.free()
            assert here.client.post(CHAT, json=body).status_code == 200
        endings = [one.ending for one in here.exchanges()]
    assert endings == ["whole", "whole", *["lost"] * (asked - 1)], "no line is left half-written, nothing asked goes uncharged"
    assert "outage" in dict(here.told)


@pytest.mark.skipif(os.getuid() != 0, reason="mounting a small disk is root's")
def test_a_disk_that_has_room_again_finds_the_budget_as_it_was(tmp_path: Path) -> None:
    budget = Budget(tokens=10**6)
    with (
        provider() as upstream,
        small_disk(tmp_path / "disk", "1m") as disk,
        gateway_here(settings_for(upstream, budget=budget), disk.folder / "g") as here,
    ):
        assert here.client.post(MESSAGES, json=BODIES[MESSAGES]).status_code == 200
        disk.fill()
        assert {here.client.post(MESSAGES, json=BODIES[MESSAGES]).status_code for _ in range(40)} >= {529}
        disk.free()
        with ThreadPoolExecutor(8) as agents:
            asked = agents.map(lambda _: here.client.post(MESSAGES, json=BODIES[MESSAGES]).status_code, range(8))
        assert list(asked) == [200] * 8, "no claim was left standing"


@pytest.mark.skipif(os.getuid() != 0, reason="mounting a small disk is root's")
def test_an_answer_that_cannot_be_written_down_is_not_delivered_and_charged(tmp_path: Path) -> None:
    with provider() as upstream, small_disk(tmp_path / "disk", "1m") as disk:
        with gateway_here(settings_for(upstream), tmp_path / "disk" / "g") as here:
            upstream.answer = lambda wire, body: (disk.fill(), Answer("Done.", usage=Usage(5, 5), whole=True))[1]
            refused = here.client.post(MESSAGES, json=BODIES[MESSAGES])
            assert refused.status_code == 529 and "Done." not in refused.text
            disk.free()
        (exchange,) = here.exchanges()
    assert exchange.ending == "lost" and exchange.usage and exchange.usage.output == 99


def test_the_answer_is_on_disk_before_the_agent_has_it(tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        for number, path in enumerate([MESSAGES, CHAT, RESPONSES], 1):
            with here.client.stream("POST", path, json=BODIES[path] | {"stream": True}) as response:
                next(response.iter_raw(1))
                assert len(here.exchanges()) == number


@pytest.mark.parametrize(("fault", "told"), [(200, b"message_start"), (503, b"event: error")], ids=["answer", "outage"])
def test_an_agent_that_waits_for_a_stream_hears_that_it_is_coming(
    fault: int, told: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "KEEP_ALIVE_SECONDS", 0.1)
    heard = threading.Event()
    with provider() as upstream, gateway_here(settings_for(upstream, retry_seconds=0.1), tmp_path / "g") as here:
        upstream.behave = lambda number: (heard.wait(60), fault)[1]
        with here.client.stream("POST", MESSAGES, json=BODIES[MESSAGES] | {"stream": True}) as response:
            chunks = response.iter_raw()
            assert next(chunks).startswith(b"event: ping")
            heard.set()
            assert told in b"".join(chunks)


def test_a_fault_of_the_gateway_itself_is_told_and_charged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rexbench.gateway.wires.openai_chat.OpenAIChat.read_answer", lambda self, body: 1 / 0)
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        assert here.client.post(CHAT, json=BODIES[CHAT]).status_code == 500
        (exchange,) = here.exchanges()
    assert "ZeroDivisionError" in dict(here.told)["outage"] and exchange.usage and exchange.usage.estimated


def test_a_full_log_ends_the_run_as_its_own_limit(tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream, log_bytes=20_000), tmp_path / "g") as here:
        body = BODIES[CHAT] | {"messages": [{"role": "user", "content": "x" * 6_000}]}
        statuses = [here.client.post(CHAT, json=body).status_code for _ in range(6)]
    assert statuses == [200, 200, 200, 403, 403, 403]
    assert [detail for event, detail in here.told if event == "limit"] == ["the run's log of 20000 bytes is full"]


def test_a_log_is_read_one_exchange_at_a_time(tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        for _ in range(3):
            here.client.post(CHAT, json=BODIES[CHAT])
    log = ExchangeFile(here.folder / "exchanges.jsonl")
    assert [one.number for one in log] == [one.number for one in log] == [1, 2, 3]
    assert len(list(main_conversation(log))) == 3 and list(ExchangeFile(tmp_path / "none")) == []


def test_a_maximum_is_set_where_a_request_names_none_and_the_rest_of_the_budget_is_small(tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream, budget=Budget(tokens=20_000)), tmp_path / "g") as here:
        for path in (CHAT, RESPONSES):
            assert here.client.post(path, json=BODIES[path]).status_code == 200
        chat, responses = (request["body"] for request in upstream.requests)
        assert 4_096 <= chat["max_tokens"] < 20_000 and 4_096 <= responses["max_output_tokens"] < chat["max_tokens"]


def test_a_maximum_that_the_provider_does_not_take_is_taken_back(tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream, budget=Budget(tokens=20_000)), tmp_path / "g") as here:
        upstream.behave = lambda number: 400 if "max_tokens" in upstream.requests[-1]["body"] else 200
        assert here.client.post(CHAT, json=BODIES[CHAT]).status_code == 200
        assert upstream.requests[-1]["body"] == BODIES[CHAT] and len(here.exchanges()) == 1


@pytest.mark.parametrize("path", BODIES)
def test_what_was_recorded_is_read_again_whatever_it_holds(path: str, tmp_path: Path) -> None:
    odd: list[Any] = ["\x00\u2028\ufffe\U0010ffff", {"": {"": []}}, [[]] * 50, 10**17, -0.0, 1e308, None, True, "\\ud800"]
    deep: Any = "deep"
    for _ in range(90):
        deep = [deep]
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        for value in (*odd, deep):
            assert here.client.post(path, json=BODIES[path] | {"metadata": {"odd": value}}).status_code == 200
    assert [one.request["metadata"]["odd"] for one in here.exchanges()] == [*odd, deep]


def test_upstream_is_sent_what_was_understood_and_not_the_agents_own_bytes(tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        spelled = rb'  {"messages" : [{"role":"user","content":"\u0068i"}],   "\u006dodel":"m"}  '
        assert here.client.post(CHAT, content=spelled).status_code == 200
        assert upstream.requests[0]["raw"] == b'{"messages": [{"role": "user", "content": "hi"}], "model": "m"}'
