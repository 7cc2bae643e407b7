"""Anthropic Messages."""

import json
from collections.abc import Iterator
from typing import Any

from rexbench.gateway.wires.protocol import Answer, Body, Message, Reader, ToolCall, Usage, WireName, count, flat, pieces, sse

_ERRORS = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error"}
_ERRORS |= {413: "request_too_large", 429: "rate_limit_error", 529: "overloaded_error"}


class Anthropic:
    """The Messages protocol."""

    name: WireName = "anthropic"

    def read_answer(self, body: Body) -> Answer:
        blocks = [block for block in body.get("content") or [] if isinstance(block, dict)]
        calls = tuple(
            ToolCall(str(block.get("id", "")), str(block.get("name", "")), block.get("input") or {})
            for block in blocks
            if block.get("type") == "tool_use"
        )
        text = "".join(block.get("text", "") for block in blocks if block.get("type") == "text")
        reasoning = "".join(block.get("thinking", "") for block in blocks if block.get("type") == "thinking")
        usage = _usage(body["usage"], None) if isinstance(body.get("usage"), dict) else None
        return Answer(text, reasoning, calls, usage, "stop_reason" in body, str(body.get("model", "")))

    def read_event(self, event: Body, into: Reader) -> None:
        kind, at = event.get("type"), event.get("index", 0)
        if kind == "message_start":
            message = event.get("message") or {}
            into.model = str(message.get("model", ""))
            into.usage = _usage(message.get("usage") or {}, into.usage)
        elif kind == "content_block_start":
            block = event.get("content_block") or {}
            if block.get("type") == "tool_use":
                into.calls[at] = [str(block.get("id", "")), str(block.get("name", "")), ""]
        elif kind == "content_block_delta":
            delta = event.get("delta") or {}
            into.text.append(delta.get("text") or "")
            into.reasoning.append(delta.get("thinking") or "")
            if at in into.calls:
                into.calls[at][2] += delta.get("partial_json") or ""
        elif kind == "message_delta":
            into.usage = _usage(event.get("usage") or {}, into.usage)
        elif kind == "message_stop":
            into.whole = True

    def messages(self, request: Body) -> list[Message]:
        found = [Message("system", flat(request["system"]))] if request.get("system") else []
        for message in request.get("messages") or []:
            content = message.get("content")
            blocks = content if isinstance(content, list) else []
            results = tuple(
                (str(block.get("tool_use_id", "")), flat(block.get("content")))
                for block in blocks
                if isinstance(block, dict) and block.get("type") == "tool_result"
            )
            said = content if isinstance(content, str) else flat([block for block in blocks if block.get("type") == "text"])
            found.append(Message(str(message.get("role", "")), said, results))
        return found

    def tools(self, request: Body) -> dict[str, Body]:
        return {
            str(tool["name"]): tool.get("input_schema") or {}
            for tool in request.get("tools") or []
            if isinstance(tool, dict) and "name" in tool and tool.get("type", "custom") == "custom"
        }

    def server_tools(self, request: Body) -> list[str]:
        # Some typed tools are carried out by the client itself; all others run at the provider.
        own = ("custom", "bash_", "text_editor_", "computer_", "memory_")
        typed = [str(tool.get("type", "custom")) for tool in request.get("tools") or [] if isinstance(tool, dict)]
        return [kind for kind in typed if not kind.startswith(own)] + (["mcp_servers"] if request.get("mcp_servers") else [])

    def write_answer(self, answer: Answer, request: Body, number: int) -> Body:
        blocks: list[Body] = [{"type": "text", "text": answer.text}] if answer.text else []
        blocks += [{"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments} for call in answer.calls]
        return {
            "id": f"msg_{number:08d}",
            "type": "message",
            "role": "assistant",
            "model": request.get("model", ""),
            "content": blocks,
            "stop_reason": "tool_use" if answer.calls else "end_turn",
            "stop_sequence": None,
            "usage": _written(answer.usage or Usage()),
        }

    def write_events(self, answer: Answer, request: Body, number: int) -> Iterator[bytes]:
        whole = self.write_answer(answer, request, number)
        usage = whole["usage"]
        opening = whole | {"content": [], "stop_reason": None, "usage": usage | {"output_tokens": min(1, usage["output_tokens"])}}
        yield sse({"type": "message_start", "message": opening}, "message_start")
        for at, block in enumerate(whole["content"]):
            tool = block["type"] == "tool_use"
            empty: Body = {**block, "input": {}} if tool else {**block, "text": ""}
            yield sse({"type": "content_block_start", "index": at, "content_block": empty}, "content_block_start")
            for piece in pieces(json.dumps(block["input"]) if tool else block["text"]):
                delta = {"type": "input_json_delta", "partial_json": piece} if tool else {"type": "text_delta", "text": piece}
                yield sse({"type": "content_block_delta", "index": at, "delta": delta}, "content_block_delta")
            yield sse({"type": "content_block_stop", "index": at}, "content_block_stop")
        ending = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
        yield sse({"type": "message_delta", "delta": ending, "usage": {"output_tokens": usage["output_tokens"]}}, "message_delta")
        yield sse({"type": "message_stop"}, "message_stop")

    def error(self, status: int, message: str) -> Body:
        return {"type": "error", "error": {"type": _ERRORS.get(status, "api_error"), "message": message}}


def _usage(told: dict[str, Any], before: Usage | None) -> Usage:
    """Counts of a stream are cumulative and partial: what an event leaves out stays as it was."""
    before = before or Usage()
    cached = count(told.get("cache_read_input_tokens")) or before.cached
    written = count(told.get("cache_creation_input_tokens")) or before.cache_written
    fresh = count(told.get("input_tokens")) or before.input - before.cached - before.cache_written
    return Usage(fresh + cached + written, count(told.get("output_tokens")) or before.output, cached, written)


def _written(usage: Usage) -> Body:
    return {
        "input_tokens": usage.input - usage.cached - usage.cache_written,
        "cache_read_input_tokens": usage.cached,
        "cache_creation_input_tokens": usage.cache_written,
        "output_tokens": usage.output,
    }
