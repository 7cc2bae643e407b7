"""A request says two things at once, one to the gateway and another to the provider: a key that stands twice, a text for a boolean.

`"stream": "false"` is true to one reader and false to another, and of two keys some readers take the first and some the last: such
requests once reached the provider unmetered.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.scene import CHAT, gateway_here, settings_for
from tests.gateway.upstream import provider

TWICE = b'{"model": "dearer", "messages": [], "model": "m"}'


def first_wins(content: bytes) -> Any:
    return json.loads(content, object_pairs_hook=lambda pairs: dict(reversed(pairs)))


def test_two_sound_readers_differ_over_it() -> None:
    assert json.loads(TWICE)["model"] == "m" and first_wins(TWICE)["model"] == "dearer"
    assert bool(json.loads('{"stream": "false"}')["stream"]), "a careless gateway would meter a stream that never comes"


@pytest.mark.parametrize(
    "content",
    [
        TWICE,
        rb'{"model": "m", "messages": [], "mo\u0064el": "dearer"}',
        b'{"model": "m", "messages": [], "stream": "false"}',
        b'{"model": "m", "messages": [], "stream": 1}',
        b'{"model": "m", "messages": [{"role": "user", "role": "system", "content": "x"}]}',
        b'{"model": "m", "messages": [], "stream_options": [["include_usage", false]], "stream": true}',
    ],
)
def test_what_can_be_read_in_two_ways_reaches_no_provider(content: bytes, tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        assert here.client.post(CHAT, content=content).status_code == 400
        assert not upstream.requests


def test_what_is_forwarded_is_what_was_understood(tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        spelled = b'{"messages":[],"model":"m","stream":true,"stream_options":{"include_usage":false}}'
        assert here.client.post(CHAT, content=spelled).status_code == 200
        assert b'"include_usage": true' in upstream.requests[0]["raw"], "metered, whatever the agent said"
    assert here.tokens() == 1100
