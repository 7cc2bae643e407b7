"""Nothing that a request holds leads the provider further than to the model, and what an agent needs passes."""

from typing import Any

import pytest

from rexbench.gateway.admission import Refused, admitted, attached
from rexbench.gateway.wires.choose import PATHS, WIRES
from tests.gateway.scene import BODIES, CHAT, MESSAGES, RESPONSES

Case = tuple[str, dict[str, Any]]


def said(path: str, *parts: dict[str, Any], role: str = "user") -> Case:
    if path == RESPONSES:
        return path, {"input": [{"role": role, "content": list(parts)}]}
    return path, {"messages": [{"role": role, "content": list(parts)}]}


def result(*parts: dict[str, Any]) -> Case:
    return said(MESSAGES, {"type": "tool_result", "tool_use_id": "t", "content": list(parts)})


FAR: list[Case] = [
    said(MESSAGES, {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}),
    said(MESSAGES, {"type": "image", "source": {"type": "file", "file_id": "file_1"}}),
    said(MESSAGES, {"type": "document", "source": {"type": "url", "url": "https://example.org/a.pdf"}}),
    said(MESSAGES, {"type": "document", "source": {"type": "base64", "data": "https://example.org/a.pdf"}}),
    said(MESSAGES, {"type": "container_upload", "file_id": "file_1"}),
    said(MESSAGES, {"type": "server_tool_use", "id": "x", "name": "web_search", "input": {}}, role="assistant"),
    said(MESSAGES, {"type": "mcp_tool_use", "id": "x", "name": "n", "server_name": "s", "input": {}}, role="assistant"),
    said(
        MESSAGES,
        {"type": "document", "source": {"type": "content", "content": [{"type": "image", "source": {"type": "url", "url": "x"}}]}},
    ),
    result({"type": "image", "source": {"type": "url", "url": "http://example.org"}}),
    (MESSAGES, {"system": [{"type": "text", "text": "x", "file_id": "f"}]}),
    (MESSAGES, {"mcp_servers": [{"type": "url", "url": "https://example.org/sse", "name": "x"}]}),
    (MESSAGES, {"container": "container_1"}),
    (MESSAGES, {"container": {"skills": [{"type": "anthropic", "skill_id": "pdf"}]}}),
    (MESSAGES, {"tools": [{"type": "web_fetch_20250910", "name": "web_fetch"}]}),
    (MESSAGES, {"tools": [{"type": "tool_search_tool_regex_20251119", "name": "t"}]}),
    (MESSAGES, {"tools": [{"type": "custom", "name": "x", "input_schema": {}, "server_url": "https://example.org"}]}),
    (MESSAGES, {"context_management": {"edits": [{"type": "compact_20260112"}]}}),
    (MESSAGES, {"speed": "fast"}),
    (MESSAGES, {"service_tier": "priority"}),
    said(CHAT, {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}),
    said(CHAT, {"type": "image_url", "image_url": {"url": " https://example.org/a.png"}}),
    said(CHAT, {"type": "image_url", "image_url": {"url": "FILE:///etc/passwd"}}),
    said(CHAT, {"type": "image_url", "image_url": "https://example.org/a.png"}),
    said(CHAT, {"type": "video_url", "video_url": {"url": "https://example.org/a.mp4"}}),
    said(CHAT, {"type": "file", "file": {"file_id": "file-1"}}),
    said(CHAT, {"type": "file", "file": {"filename": "a", "file_data": "https://example.org/a.pdf"}}),
    said(CHAT, {"type": "input_audio", "input_audio": {"data": "s3://bucket/a.wav", "format": "wav"}}),
    (CHAT, {"messages": [{"role": "assistant", "audio": {"id": "audio_1"}}]}),
    (CHAT, {"web_search_options": {"search_context_size": "low"}}),
    (CHAT, {"plugins": [{"id": "web"}]}),
    (CHAT, {"models": ["other/model"], "route": "fallback"}),
    (CHAT, {"search_parameters": {"mode": "on"}}),
    (CHAT, {"tools": [{"type": "browser_search"}]}),
    (CHAT, {"service_tier": "priority"}),
    said(RESPONSES, {"type": "input_image", "image_url": "https://example.org/a.png"}),
    said(RESPONSES, {"type": "input_image", "file_id": "file-1"}),
    said(RESPONSES, {"type": "input_file", "file_url": "https://example.org/a.pdf"}),
    said(RESPONSES, {"type": "input_file", "file_id": "file-1"}),
    (RESPONSES, {"input": [{"type": "item_reference", "id": "msg_1"}]}),
    (RESPONSES, {"input": [{"id": "msg_1"}]}),
    (
        RESPONSES,
        {"input": [{"type": "function_call_output", "call_id": "c", "output": [{"type": "input_file", "file_url": "ftp://x"}]}]},
    ),
    (RESPONSES, {"input": [{"type": "code_interpreter_call", "container_id": "c"}]}),
    (RESPONSES, {"background": True}),
    (RESPONSES, {"prompt": {"id": "pmpt_1"}}),
    (RESPONSES, {"previous_response_id": "resp_1"}),
    (RESPONSES, {"conversation": "conv_1"}),
    (RESPONSES, {"conversation": {"id": "conv_1"}}),
    (RESPONSES, {"tools": [{"type": "mcp", "server_label": "x", "connector_id": "connector_gmail"}]}),
    (RESPONSES, {"tools": [{"type": "file_search", "vector_store_ids": ["vs_1"]}]}),
    (RESPONSES, {"tools": [{"type": "shell", "environment": {"type": "container_reference", "container_id": "c"}}]}),
    (RESPONSES, {"tools": [{"type": "function", "name": "x", "parameters": {}, "fileId": "f"}]}),
]


@pytest.mark.parametrize(("path", "wanted"), FAR, ids=lambda value: str(value)[:60])
def test_what_leads_beyond_the_model_is_refused_by_name(path: str, wanted: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="at the provider") as refused:
        admitted(WIRES[PATHS[path]], BODIES[path] | wanted)
    assert refused.value.status == 400 and len(str(refused.value)) < 1000


SCHEMA = {
    "type": "object",
    "properties": {"url": {"type": "string", "format": "uri", "default": "https://x"}, "file_id": {"type": "string"}},
}
NEAR: list[Case] = [
    said(MESSAGES, {"type": "text", "text": "https://example.org/a.png", "cache_control": {"type": "ephemeral", "ttl": "1h"}}),
    said(MESSAGES, {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}),
    said(
        MESSAGES,
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "see:https://x"}, "title": "a:b"},
    ),
    said(
        MESSAGES, {"type": "tool_use", "id": "t", "name": "fetch", "input": {"url": "https://x", "file_id": "f"}}, role="assistant"
    ),
    said(MESSAGES, {"type": "thinking", "thinking": "http://x", "signature": "c2ln"}, role="assistant"),
    result({"type": "text", "text": "http://x"}),
    (MESSAGES, {"messages": [{"role": "user", "content": "http://x"}], "system": [{"type": "text", "text": "http://x"}]}),
    (MESSAGES, {"tools": [{"name": "fetch", "description": "see:http://x", "input_schema": SCHEMA}], "metadata": {"user_id": "u"}}),
    (MESSAGES, {"tools": [{"type": "bash_20250124", "name": "bash"}], "thinking": {"type": "enabled", "budget_tokens": 1024}}),
    (MESSAGES, {"context_management": {"edits": [{"type": "clear_tool_uses_20250919"}]}, "output_config": {"effort": "high"}}),
    said(CHAT, {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}),
    said(CHAT, {"type": "file", "file": {"filename": "a:b.pdf", "file_data": "data:application/pdf;base64,JVBERi0="}}),
    (
        CHAT,
        {
            "messages": [
                {"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}
            ]
        },
    ),
    (CHAT, {"messages": [{"role": "tool", "tool_call_id": "c", "content": "http://x"}]}),
    (
        CHAT,
        {"tools": [{"type": "function", "function": {"name": "f", "parameters": SCHEMA}}], "reasoning_effort": "high", "seed": 1},
    ),
    said(RESPONSES, {"type": "input_text", "text": "http://x"}),
    said(RESPONSES, {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="}),
    (RESPONSES, {"input": [{"type": "function_call_output", "call_id": "c", "output": "http://x"}]}),
    (RESPONSES, {"input": [{"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "Z0FB"}]}),
    (
        RESPONSES,
        {
            "input": [
                {"type": "local_shell_call", "id": "l", "call_id": "c", "action": {"type": "exec", "command": ["curl", "http://x"]}}
            ]
        },
    ),
    (RESPONSES, {"tools": [{"type": "function", "name": "f", "parameters": SCHEMA}, {"type": "local_shell"}, {"type": "shell"}]}),
    (RESPONSES, {"include": ["reasoning.encrypted_content"], "background": False, "previous_response_id": None}),
]


@pytest.mark.parametrize(("path", "wanted"), NEAR, ids=lambda value: str(value)[:60])
def test_what_carries_its_own_content_passes_as_it_is(path: str, wanted: dict[str, Any]) -> None:
    body = BODIES[path] | wanted
    travels, behind = admitted(WIRES[PATHS[path]], body)
    assert travels == {name: value for name, value in body.items() if name not in ("background", "previous_response_id")}
    assert behind == []


@pytest.mark.parametrize("path", BODIES)
def test_a_field_that_nobody_knows_stays_behind(path: str) -> None:
    travels, behind = admitted(WIRES[PATHS[path]], BODIES[path] | {"browse_the_web": True, "x" * 5000: 1})
    assert travels == BODIES[path] and behind == ["browse_the_web", "x" * 60]


def test_answers_are_not_stored_at_the_provider() -> None:
    wire = WIRES["openai-responses"]
    assert admitted(wire, {"model": "m", "input": "hi"})[0]["store"] is False
    assert admitted(wire, {"model": "m", "input": "hi", "store": True})[0]["store"] is False
    assert admitted(WIRES["openai-chat"], BODIES[CHAT] | {"store": True})[0]["store"] is False


def test_a_small_document_may_hold_many_tokens() -> None:
    _, body = result({"type": "document", "source": {"type": "base64", "data": "JVBERi0="}})
    assert attached(body) >= 100_000 > attached(BODIES[MESSAGES]) == 0
