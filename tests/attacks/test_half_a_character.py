"""A request holds half of a character (a lone surrogate) or a great depth, so that its exchange can be answered but not recorded.

Five answers were once delivered and counted as 0 requests, 0 tokens and $0, because writing them down failed afterwards; others
were written down and could not be read again, and the run had no verdict.
"""

import json
from pathlib import Path

import pytest
from pydantic_core import PydanticSerializationError

from rexbench.gateway.exchange import Exchange, read_exchanges
from rexbench.untrusted import NotTaken
from tests.gateway.scene import BODIES, CHAT, gateway_here, settings_for
from tests.gateway.upstream import provider

HALF = rb'{"model": "m", "messages": [{"role": "user", "content": "\ud83d hi"}]}'
DEEP = b'{"model": "m", "messages": [], "metadata": ' + b"[" * 220 + b"]" * 220 + b"}"


def careless_record(content: bytes) -> Exchange:
    """What a gateway that only asks whether it is JSON has in its hands after the answer is delivered."""
    values = {
        "number": 1,
        "wire": "openai-chat",
        "path": CHAT,
        "at": "",
        "model": "m",
        "streamed": False,
        "status": 200,
        "response": "",
    }
    values |= {"ending": "whole", "detail": "", "usage": None, "cost_usd": None, "seconds": 0.0, "tries": ()}
    return Exchange.model_validate(values | {"request": json.loads(content)})


def test_a_careless_gateway_has_no_record_of_it(tmp_path: Path) -> None:
    with pytest.raises(PydanticSerializationError):
        careless_record(HALF).model_dump_json()
    log = tmp_path / "exchanges.jsonl"
    log.write_text(careless_record(DEEP).model_dump_json() + "\n")
    with pytest.raises(NotTaken, match="damaged"):
        list(read_exchanges(log))


@pytest.mark.parametrize("poison", [HALF, DEEP, HALF.replace(b"messages", rb"\udc00"), HALF.replace(b'"m"', rb'"\ud800"')])
def test_it_is_refused_before_it_is_asked_and_the_record_stays_sound(poison: bytes, tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        assert [here.client.post(CHAT, content=poison).status_code for _ in range(5)] == [400] * 5
        assert here.client.post(CHAT, json=BODIES[CHAT]).status_code == 200
        assert len(upstream.requests) == 1
    assert [one.ending for one in here.exchanges()] == ["refused"] * 5 + ["whole"] and here.tokens() == 1100
