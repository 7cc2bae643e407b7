"""Anthropic Messages."""

import json
from collections.abc import Iterator

from pydantic import BaseModel

from rexbench.gateway.wires.protocol import (
    Answer,
    Body,
    Message,
    Reader,
    ToolCall,
    Usage,
    WireName,
    count,
    flat,
    objects,
    pieces,
    sse,
    within,
)
from rexbench.gateway.wires.shapes import AnthropicRequest

_ERRORS = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error"}
_ERRORS |= {413: "request_too_large", 429: "rate_limit_error", 529: "overloaded_error"}


class Anthropic:
    """The Messages protocol."""

    name: WireName = "anthropic"
    shape: type[BaseModel] = AnthropicRequest

    def maximum(self, request: Body) -> int | None:
        return request.get("max_tokens")

    def with_maximum(self, request: Body, tokens: int) -> Body:
        return request | {"max_tokens": tokens}

    def clean_request(self, model: str) -> Body:
        return {"model": model, "max_tokens": 1, "messages": [{"role": "user", "content": "Say yes."}]}

    def read_answer(self, body: Body) -> Answer:
        blocks = objects(body.get("content"))
        calls = tuple(
            ToolCall(str(block.get("id", "")), str(block.get("name", "")), within(block, "input"))
            for block in blocks
            if block.get("type") == "tool_use"
        )
        text = "".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text")
        reasoning = "".join(str(block.get("thinking", "")) for block in blocks if block.get("type") == "thinking")
        told = within(body, "usage")
        whole = None not in (count(told.get("input_tokens")), count(told.get("output_tokens")))
        usage = _usage(told, Usage()) if whole else None
        return Answer(text, reasoning, calls, usage, "stop_reason" in body, str(body.get("model", "")))

    def read_event(self, event: Body, into: Reader) -> None:
        kind, at = event.get("type"), str(event.get("index", 0))
        if kind == "message_start":
            message = within(event, "message")
            told = within(message, "usage")
            into.model = str(message.get("model", ""))
            into.usage = _usage(told, Usage()) if count(told.get("input_tokens")) is not None else None
        elif kind == "content_block_start":
            block = within(event, "content_block")
            if block.get("type") == "tool_use":
                into.calls[at] = [str(block.get("id", "")), str(block.get("name", "")), ""]
        elif kind == "content_block_delta":
            delta = within(event, "delta")
            into.text.append(str(delta.get("text") or ""))
            into.reasoning.append(str(delta.get("thinking") or ""))
            if at in into.calls:
                into.calls[at][2] += str(delta.get("partial_json") or "")
        elif kind == "message_delta":
            told = within(event, "usage")
            into.told = count(told.get("output_tokens")) is not None and into.usage is not None
            into.usage = _usage(told, into.usage or Usage())
        elif kind == "message_stop":
            into.whole = True
        elif kind == "error":
            into.error = within(event, "error") or event

    def messages(self, request: Body) -> list[Message]:
        found = [Message("system", flat(request["system"]))] if request.get("system") else []
        for message in objects(request.get("messages")):
            content = message.get("content")
            blocks = objects(content)
            results = tuple(
                (str(block.get("tool_use_id", "")), flat(block.get("content")))
                for block in blocks
                if block.get("type") == "tool_result"
            )
            said = content if isinstance(content, str) else flat([block for block in blocks if block.get("type") == "text"])
            found.append(Message(str(message.get("role", "")), said, results))
        return found

    def tools(self, request: Body) -> dict[str, Body]:
        return {
            str(tool["name"]): within(tool, "input_schema")
            for tool in objects(request.get("tools"))
            if "name" in tool and tool.get("type", "custom") in ("custom", None)
        }

    def server_tools(self, request: Body) -> list[str]:
        # Some typed tools are carried out by the client itself; all others run at the provider.
        own = ("custom", "bash_", "text_editor_", "computer_", "memory_")
        typed = [str(tool.get("type") or "custom") for tool in objects(request.get("tools"))]
        return [kind for kind in typed if not kind.startswith(own)]

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


def _usage(told: Body, before: Usage) -> Usage:
    """Counts of a stream are cumulative and partial: what an event leaves out stays as it was."""
    cached = count(told.get("cache_read_input_tokens")) or before.cached
    written = count(told.get("cache_creation_input_tokens")) or before.cache_written
    long = count(within(told, "cache_creation").get("ephemeral_1h_input_tokens")) or before.cache_written_long
    fresh = count(told.get("input_tokens")) or before.input - before.cached - before.cache_written
    return Usage(fresh + cached + written, count(told.get("output_tokens")) or before.output, cached, written, long)


def _written(usage: Usage) -> Body:
    return {
        "input_tokens": usage.input - usage.cached - usage.cache_written,
        "cache_read_input_tokens": usage.cached,
        "cache_creation_input_tokens": usage.cache_written,
        "output_tokens": usage.output,
    }
