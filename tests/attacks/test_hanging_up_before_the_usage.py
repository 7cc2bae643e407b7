"""The agent reads a streamed answer up to its end and hangs up before the last event, which says what it cost.

Eight answers of 1,500 tokens were once counted as 0 under a budget of 2,000.
"""

import json
from pathlib import Path

import pytest

from rexbench.gateway.meter import Budget
from rexbench.gateway.settings import SOCKET
from rexbench.gateway.wires.choose import PATHS, WIRES
from rexbench.gateway.wires.protocol import Answer, Reader, Usage, events_of
from tests.gateway.scene import BODIES, CHAT, MESSAGES, RESPONSES, ask_and_hang_up, gateway_here, settings_for
from tests.gateway.upstream import provider

ANSWER = Answer("All that was asked for.", usage=Usage(1000, 500), whole=True)
FINISHED = {CHAT: b'"finish_reason": "stop"', MESSAGES: b'"content_block_stop"', RESPONSES: b"response.output_item.done"}


@pytest.mark.parametrize("path", FINISHED)
def test_the_agent_has_the_answer_and_a_gateway_that_stops_there_has_no_count(path: str) -> None:
    wire = WIRES[PATHS[path]]
    body = BODIES[path] | {"stream": True, "stream_options": {"include_usage": True}}
    seen = b""
    for event in wire.write_events(ANSWER, body, 1):
        seen += event
        if FINISHED[path] in event:
            break
    reader = Reader()
    for told in events_of(seen.split(b"\n")):
        wire.read_event(told, reader)
    assert "".join(reader.text) == ANSWER.text and not reader.told


@pytest.mark.parametrize("path", FINISHED)
def test_the_gateway_reads_on_and_the_budget_holds(path: str, tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream, budget=Budget(tokens=2_000)), tmp_path / "g") as here:
        upstream.answer = lambda wire, body: ANSWER
        content = json.dumps(BODIES[path] | {"stream": True}).encode()
        for _ in range(8):
            ask_and_hang_up(here.folder / SOCKET, path, content, after=FINISHED[path])
    assert here.tokens() == 3_000 and len(upstream.requests) == 2, "the second answer passes the budget, and is the last"
    assert "2000 tokens" in dict(here.told)["limit"]
