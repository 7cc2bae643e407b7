"""The agent has no network, but its provider has: it is asked to fetch an address, look up a file, or go on in the background.

Images and documents by address, background jobs and stored prompts once went through.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.gateway.scene import BODIES, CHAT, MESSAGES, RESPONSES, gateway_here, settings_for
from tests.gateway.upstream import provider

ANSWER = "https://example.org/the-answer"
ATTACKS: dict[str, dict[str, Any]] = {
    MESSAGES: {"messages": [{"role": "user", "content": [{"type": "document", "source": {"type": "url", "url": ANSWER}}]}]},
    CHAT: {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": ANSWER}}]}]},
    RESPONSES: {"input": [{"role": "user", "content": [{"type": "input_file", "file_url": ANSWER}]}], "background": True},
}


@pytest.mark.parametrize("path", ATTACKS)
def test_without_a_look_at_the_request_the_provider_is_sent_there(path: str, tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream, allow_server_tools=True), tmp_path / "g") as here:
        assert here.client.post(path, json=BODIES[path] | ATTACKS[path]).status_code == 200
        assert ANSWER in str(upstream.requests[0]["body"])


@pytest.mark.parametrize("path", ATTACKS)
def test_it_is_refused_told_and_not_forwarded(path: str, tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        assert here.client.post(path, json=BODIES[path] | ATTACKS[path]).status_code == 400
        assert not upstream.requests
    assert "at the provider" in dict(here.told)["refused"]


@pytest.mark.parametrize("path", ATTACKS)
def test_a_way_that_nobody_has_heard_of_stays_behind(path: str, tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        body = BODIES[path] | {"browse": [ANSWER], "grounding": {"source": ANSWER}}
        assert here.client.post(path, json=body).status_code == 200
        assert ANSWER not in str(upstream.requests[0])
