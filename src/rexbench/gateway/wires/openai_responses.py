"""OpenAI Responses."""

import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from rexbench.gateway.wires.openai_chat import openai_error
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
    read_object,
    sse,
    within,
)
from rexbench.gateway.wires.shapes import ResponsesRequest

_CLIENT_SIDE = ("function", "custom", "local_shell", "apply_patch", "shell")


class OpenAIResponses:
    """The Responses protocol."""

    name: WireName = "openai-responses"
    shape: type[BaseModel] = ResponsesRequest

    def maximum(self, request: Body) -> int | None:
        return request.get("max_output_tokens")

    def with_maximum(self, request: Body, tokens: int) -> Body:
        return request | {"max_output_tokens": tokens}

    def clean_request(self, model: str) -> Body:
        return {"model": model, "input": "Say yes.", "store": False}

    def read_answer(self, body: Body) -> Answer:
        text, reasoning, calls = [], [], []
        for item in objects(body.get("output")):
            if item.get("type") == "message":
                text.append(flat(item.get("content")))
            elif item.get("type") == "reasoning":
                reasoning.append(flat(item.get("summary")))
            elif item.get("type") == "function_call":
                arguments = read_object(str(item.get("arguments", ""))) or {}
                calls.append(ToolCall(str(item.get("call_id", "")), str(item.get("name", "")), arguments))
        whole = body.get("status") in ("completed", "incomplete")
        usage = _usage(within(body, "usage"))
        return Answer("".join(text), "".join(reasoning), tuple(calls), usage, whole, str(body.get("model", "")))

    def read_event(self, event: Body, into: Reader) -> None:
        kind, at = event.get("type"), str(event.get("output_index", 0))
        item, response = within(event, "item"), within(event, "response")
        if kind == "response.output_text.delta":
            into.text.append(str(event.get("delta", "")))
        elif kind == "response.reasoning_summary_text.delta":
            into.reasoning.append(str(event.get("delta", "")))
        elif kind == "response.output_item.added" and item.get("type") == "function_call":
            into.calls[at] = [str(item.get("call_id", "")), str(item.get("name", "")), ""]
        elif kind == "response.function_call_arguments.delta" and at in into.calls:
            into.calls[at][2] += str(event.get("delta", ""))
        elif kind in ("response.completed", "response.incomplete", "response.failed"):
            usage = _usage(within(response, "usage"))
            into.usage, into.told = usage or into.usage, usage is not None
            into.model = str(response.get("model", ""))
            into.whole = kind != "response.failed"
            into.error = None if into.whole else within(response, "error") or response
        elif kind == "error":
            into.error = within(event, "error") or event

    def messages(self, request: Body) -> list[Message]:
        found = [Message("system", flat(request["instructions"]))] if request.get("instructions") else []
        given = request.get("input")
        if isinstance(given, str):
            return [*found, Message("user", given)]
        for item in objects(given):
            if item.get("type") == "function_call_output":
                found.append(Message("user", "", ((str(item.get("call_id", "")), flat(item.get("output"))),)))
            elif "role" in item:
                role = "system" if item["role"] == "developer" else str(item["role"])
                found.append(Message(role, flat(item.get("content"))))
        return found

    def tools(self, request: Body) -> dict[str, Body]:
        listed = [tool for tool in objects(request.get("tools")) if tool.get("type") == "function"]
        return {str(tool.get("name", "")): within(tool, "parameters") for tool in listed}

    def server_tools(self, request: Body) -> list[str]:
        typed = objects(request.get("tools"))
        away = [
            f"{tool.get('type')} in a container" for tool in typed if within(tool, "environment").get("type", "local") != "local"
        ]
        return [kind for tool in typed if (kind := str(tool.get("type", ""))) not in _CLIENT_SIDE] + away

    def write_answer(self, answer: Answer, request: Body, number: int) -> Body:
        output: list[Body] = []
        if answer.text:
            part = {"type": "output_text", "text": answer.text, "annotations": []}
            message = {"id": f"msg_{number:08d}", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
            output.append(message)
        for at, call in enumerate(answer.calls):
            body = {"id": f"fc_{number:08d}_{at}", "type": "function_call", "call_id": call.id, "name": call.name}
            output.append(body | {"arguments": json.dumps(call.arguments), "status": "completed"})
        return {
            "id": f"resp_{number:08d}",
            "object": "response",
            "created_at": 0,
            "status": "completed",
            "model": request.get("model", ""),
            "output": output,
            "usage": _written(answer.usage or Usage()),
            "error": None,
            "incomplete_details": None,
            "instructions": None,
            "metadata": {},
            "parallel_tool_calls": True,
            "temperature": 1.0,
            "tool_choice": "auto",
            "tools": [],
            "top_p": 1.0,
        }

    def write_events(self, answer: Answer, request: Body, number: int) -> Iterator[bytes]:
        whole = self.write_answer(answer, request, number)
        sequence = 0

        def event(kind: str, **fields: Any) -> bytes:
            nonlocal sequence
            sequence += 1
            return sse({"type": kind, "sequence_number": sequence, **fields}, kind)

        opening = whole | {"status": "in_progress", "output": [], "usage": None}
        yield event("response.created", response=opening)
        for at, item in enumerate(whole["output"]):
            place = {"output_index": at, "item_id": item["id"]}
            if item["type"] == "message":
                part = item["content"][0]
                yield event("response.output_item.added", output_index=at, item=item | {"content": [], "status": "in_progress"})
                yield event("response.content_part.added", **place, content_index=0, part=part | {"text": ""})
                for piece in pieces(part["text"]):
                    yield event("response.output_text.delta", **place, content_index=0, delta=piece, logprobs=[])
                yield event("response.output_text.done", **place, content_index=0, text=part["text"], logprobs=[])
                yield event("response.content_part.done", **place, content_index=0, part=part)
            else:
                yield event("response.output_item.added", output_index=at, item=item | {"arguments": "", "status": "in_progress"})
                for piece in pieces(item["arguments"]):
                    yield event("response.function_call_arguments.delta", **place, delta=piece)
                yield event("response.function_call_arguments.done", **place, arguments=item["arguments"])
            yield event("response.output_item.done", output_index=at, item=item)
        yield event("response.completed", response=whole)

    def error(self, status: int, message: str) -> Body:
        return openai_error(status, message)


def _usage(told: Body) -> Usage | None:
    asked, answered = count(told.get("input_tokens")), count(told.get("output_tokens"))
    if asked is None or answered is None:
        return None
    cached = count(within(told, "input_tokens_details").get("cached_tokens")) or 0
    return Usage(asked, max(answered, (count(told.get("total_tokens")) or 0) - asked), min(cached, asked))


def _written(usage: Usage) -> Body:
    return {
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": usage.cached},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": usage.total,
    }
