"""The agent has its model call a tool with lists inside lists inside lists: the answer is sound, and whoever reads it falls over.

A reader that gives up takes a sound answer for a broken one: an outage, which is a fault of ours; or the run has no trajectory.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from rexbench.agent.trajectory import answer_of
from rexbench.gateway.wires import protocol
from rexbench.gateway.wires.protocol import Answer, ToolCall, Usage
from tests.gateway.scene import BODIES, MESSAGES, gateway_here, settings_for
from tests.gateway.upstream import provider


def deep(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("levels", [150, 400])
@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_it_is_delivered_charged_and_on_record(levels: int, streamed: bool, tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream), tmp_path / "g") as here:
        call = ToolCall("t", "bash", {"command": deep(levels)})
        upstream.answer = lambda wire, body: Answer("", calls=(call,), usage=Usage(50, 50), whole=True)
        told = here.client.post(MESSAGES, json=BODIES[MESSAGES] | {"stream": streamed})
        assert told.status_code == 200 and len(upstream.requests) == 1 and told.text.count("[") > levels
    (exchange,) = here.exchanges()
    assert exchange.ending == "whole" and exchange.usage and exchange.usage.output >= 50
    json.dumps([call.arguments for call in answer_of(exchange).calls])
    assert "outage" not in dict(here.told)


def test_a_careless_reader_takes_it_for_a_broken_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "rexbench.gateway.asking.read_object", lambda content: None if protocol.is_deep(json.loads(content)) else {}
    )
    with provider() as upstream, gateway_here(settings_for(upstream, retry_seconds=0.3), tmp_path / "g") as here:
        upstream.answer = lambda wire, body: Answer(
            "", calls=(ToolCall("t", "bash", {"a": deep(150)}),), usage=Usage(5, 5), whole=True
        )
        assert here.client.post(MESSAGES, json=BODIES[MESSAGES]).status_code == 529
    assert "outage" in dict(here.told)
