"""Every wire reads what it writes, whole and streamed, and what the providers write."""

import pytest

from rexbench.gateway.wires.choose import WIRES, canonical
from rexbench.gateway.wires.protocol import Answer, Reader, ToolCall, Usage, Wire, events_of

ANSWER = Answer(
    "I look first. " * 60,
    "",
    (ToolCall("call_1", "bash", {"command": "ls -R\necho 'ä'"}), ToolCall("call_2", "edit", {"path": "a", "lines": [1, 2]})),
    Usage(900, 30, 250),
    True,
)


@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
def test_an_answer_written_whole_is_read_back(wire: Wire) -> None:
    read = wire.read_answer(wire.write_answer(ANSWER, {"model": "m"}, 1))
    assert (read.text, read.calls, read.usage, read.whole, read.model) == (ANSWER.text, ANSWER.calls, ANSWER.usage, True, "m")


@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
def test_an_answer_written_as_a_stream_is_read_back(wire: Wire) -> None:
    reader = Reader()
    request = {"model": "m", "stream": True, "stream_options": {"include_usage": True}}
    for event in events_of(b"".join(wire.write_events(ANSWER, request, 1)).split(b"\n")):
        wire.read_event(event, reader)
    read = reader.answer()
    assert (read.text, read.calls, read.usage, read.whole) == (ANSWER.text, ANSWER.calls, ANSWER.usage, True)


@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
def test_a_stream_that_ends_early_is_not_whole(wire: Wire) -> None:
    events = list(wire.write_events(ANSWER, {"model": "m"}, 1))
    reader = Reader()
    for event in events_of(b"".join(events[:3]).split(b"\n")):
        wire.read_event(event, reader)
    assert not reader.answer().whole


def test_anthropic_counts_what_came_from_a_cache_as_input() -> None:
    usage = {"input_tokens": 10, "cache_read_input_tokens": 500, "cache_creation_input_tokens": 40, "output_tokens": 7}
    assert WIRES["anthropic"].read_answer({"usage": usage}).usage == Usage(550, 7, 500, 40)


def test_anthropic_stream_counts_are_cumulative_and_partial() -> None:
    reader = Reader()
    start = {"usage": {"input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 1}}
    WIRES["anthropic"].read_event({"type": "message_start", "message": start}, reader)
    WIRES["anthropic"].read_event({"type": "message_delta", "usage": {"output_tokens": 33}}, reader)
    assert reader.usage == Usage(100, 33, 90)


SERVED = {
    "anthropic": [
        {"tools": [{"type": kind, "name": "x"}]} for kind in ("web_search_20250305", "code_execution_20250825", "mcp_toolset")
    ],
    "openai-chat": [{"tools": [{"type": kind}]} for kind in ("web_search", "browser_search", "code_interpreter")],
    "openai-responses": [{"tools": [{"type": kind}]} for kind in ("web_search", "code_interpreter", "mcp", "file_search")]
    + [{"tools": [{"type": "shell", "environment": {"type": "container_auto"}}]}],
}
OWN = {
    "anthropic": {"tools": [{"name": "Bash", "input_schema": {}}, {"type": "bash_20250124", "name": "bash"}]},
    "openai-chat": {"tools": [{"type": "function", "function": {"name": "bash", "parameters": {}}}]},
    "openai-responses": {"tools": [{"type": "function", "name": "bash", "parameters": {}}, {"type": "local_shell"}]},
}


@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
def test_tools_that_run_at_the_provider_are_told_from_the_agents_own(wire: Wire) -> None:
    assert all(wire.server_tools(request) for request in SERVED[wire.name])
    assert wire.server_tools(OWN[wire.name]) == []
    assert wire.tools(OWN[wire.name])


def test_paths_are_taken_with_and_without_the_version() -> None:
    assert canonical("/chat/completions") == canonical("/v1/chat/completions/") == "/v1/chat/completions"
