"""The agent makes the provider refuse in a way that looks like a fault of ours: with a bogus organisation, or words it moderates.

A system fault is tried again, paid for again and never scored; an agent that is about to fail has reason to cause one.
"""

from pathlib import Path

import pytest

from rexbench.gateway import app
from tests.gateway.scene import BODIES, CHAT, gateway_here, settings_for
from tests.gateway.upstream import Upstream, provider

BOGUS = {"openai-organization": "org-bogus", "openai-project": "proj-bogus", "openai-beta": "assistants=v99"}


def picky(upstream: Upstream) -> None:
    """Refuses organisations that it does not know with 401, and some words with 403."""

    def behave(number: int) -> int:
        asked = upstream.requests[-1]
        if any(name in {given.lower() for given in asked["headers"]} for name in BOGUS):
            return 401
        return 403 if "moderated" in str(asked["body"]) else 200

    upstream.behave = behave


def test_headers_that_travel_cause_a_fault_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "travelling_headers", lambda wire, headers: {name: headers[name] for name in BOGUS})
    monkeypatch.setattr("rexbench.gateway.asking.Asking._try_key", _believes)
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        picky(upstream)
        assert here.client.post(CHAT, json=BODIES[CHAT], headers=BOGUS).status_code == 401
    assert "outage" in dict(here.told)


async def _believes(self: object, asked: object) -> str:
    return "the provider refused the key"


def test_headers_of_the_agents_own_never_arrive(tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        picky(upstream)
        assert here.client.post(CHAT, json=BODIES[CHAT], headers=BOGUS).status_code == 200
    assert "outage" not in dict(here.told)


def test_moderated_words_are_the_agents_own(tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        picky(upstream)
        body = BODIES[CHAT] | {"messages": [{"role": "user", "content": "moderated"}]}
        assert [here.client.post(CHAT, json=body).status_code for _ in range(3)] == [403] * 3
    assert "outage" not in dict(here.told) and {one.ending for one in here.exchanges()} == {"error"}
