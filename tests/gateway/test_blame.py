"""Which of the provider's errors are the agent's own doing, and which are ours."""

from pathlib import Path
from typing import Any

import pytest

from tests.gateway.scene import BODIES, CHAT, KEY, MESSAGES, gateway_here, settings_for
from tests.gateway.upstream import provider


@pytest.mark.parametrize("status", [400, 404, 405, 409, 413, 415, 422, 451])
@pytest.mark.parametrize("path", BODIES)
def test_an_error_that_the_request_caused_is_delivered_and_no_outage(path: str, status: int, tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        upstream.behave = lambda number: status
        response = here.client.post(path, json=BODIES[path])
        assert response.status_code == status and f"told {status}" in response.text
        assert len(upstream.requests) == 1, "nothing is tried again that would fail again"
    (exchange,) = here.exchanges()
    assert (exchange.ending, exchange.usage) == ("error", None) and "outage" not in dict(here.told)


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize("path", BODIES)
def test_a_key_that_a_clean_request_is_refused_with_too_is_ours(path: str, status: int, tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        upstream.behave = lambda number: status
        assert here.client.post(path, json=BODIES[path]).status_code == status
        assert len(upstream.requests) == 2
    assert f"refused the key ({status})" in dict(here.told)["outage"] and KEY not in str(here.told)
    assert here.exchanges()[0].ending == "outage"


@pytest.mark.parametrize("status", [401, 403])
def test_a_refusal_of_this_request_alone_is_the_agents(status: int, tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        upstream.behave = lambda number: status if "forbidden words" in str(upstream.requests[-1]["body"]) else 200
        body = BODIES[CHAT] | {"messages": [{"role": "user", "content": "forbidden words"}]}
        for _ in range(3):
            assert here.client.post(CHAT, json=body).status_code == status
        assert len(upstream.requests) == 4, "the key is tried once, not with every refusal"
    assert "outage" not in dict(here.told) and {one.ending for one in here.exchanges()} == {"error"}
    assert here.tokens() == 1100, "the clean request is paid for, and on record"


def test_a_clean_request_that_breaks_off_is_tried_again_and_paid_for(tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        upstream.behave = lambda number: {1: 403, 2: "cut", 3: 503}.get(number, 200)
        assert here.client.post(MESSAGES, json=BODIES[MESSAGES]).status_code == 403
        assert len(upstream.requests) == 4
    (exchange,) = here.exchanges()
    assert exchange.ending == "error" and exchange.usage and exchange.usage.estimated and exchange.usage.input > 2_000
    assert "outage" not in dict(here.told)


def test_a_clean_request_holds_nothing_of_the_agents(tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        upstream.behave = lambda number: 403
        body = BODIES[MESSAGES] | {"system": "be bad", "temperature": 2}
        here.client.post(MESSAGES, json=body, headers={"anthropic-beta": "claude-code-bogus"})
        clean = upstream.requests[1]
    assert clean["body"] == {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "Say yes."}]}
    assert "anthropic-beta" not in {name.lower() for name in clean["headers"]}


def test_an_account_without_money_is_ours(tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        upstream.behave = lambda number: 402
        assert here.client.post(CHAT, json=BODIES[CHAT]).status_code == 402
    assert "to be paid" in dict(here.told)["outage"]


@pytest.mark.parametrize("fault", [408, 429, 500, 502, 503, 529, "drop", 302])
def test_what_says_nothing_about_the_request_is_an_outage_in_the_end(fault: Any, tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream, retry_seconds=0.3), tmp_path / "g") as here:
        upstream.behave = lambda number: fault
        assert here.client.post(CHAT, json=BODIES[CHAT]).status_code == 529
        assert len(upstream.requests) > 1
    assert "gave no answer" in dict(here.told)["outage"] and here.exchanges()[0].usage is None


@pytest.mark.parametrize(("kind", "ending"), [("overloaded_error", "whole"), ("invalid_request_error", "error")])
def test_an_error_in_mid_stream_is_told_apart_by_its_kind(kind: str, ending: str, tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        upstream.behave = lambda number: f"error event {kind}" if number == 1 else 200
        here.client.post(MESSAGES, json=BODIES[MESSAGES] | {"stream": True})
    (exchange,) = here.exchanges()
    assert exchange.ending == ending and "outage" not in dict(here.told)
    assert exchange.usage and exchange.usage.estimated, "what broke off is paid for"
