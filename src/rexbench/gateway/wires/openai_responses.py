"""OpenAI Responses."""

import json
from collections.abc import Iterator
from typing import Any

from rexbench.gateway.wires.openai_chat import openai_error
from rexbench.gateway.wires.protocol import Answer, Body, Message, Reader, ToolCall, Usage, WireName, count, flat, pieces, sse

_CLIENT_SIDE = ("function", "custom", "local_shell", "apply_patch", "shell")


class OpenAIResponses:
    """The Responses protocol."""

    name: WireName = "openai-responses"

    def read_answer(self, body: Body) -> Answer:
        text, reasoning, calls = [], [], []
        for item in body.get("output") or []:
            if item.get("type") == "message":
                text.append(flat(item.get("content")))
            elif item.get("type") == "reasoning":
                reasoning.append(flat(item.get("summary")))
            elif item.get("type") == "function_call":
                calls.append(
                    ToolCall(str(item.get("call_id", "")), str(item.get("name", "")), _arguments(item.get("arguments", "")))
                )
        whole = body.get("status") in ("completed", "incomplete")
        usage = _usage(body.get("usage"))
        return Answer("".join(text), "".join(reasoning), tuple(calls), usage, whole, str(body.get("model", "")))

    def read_event(self, event: Body, into: Reader) -> None:
        kind, at = event.get("type"), event.get("output_index", 0)
        if kind == "response.output_text.delta":
            into.text.append(str(event.get("delta", "")))
        elif kind == "response.reasoning_summary_text.delta":
            into.reasoning.append(str(event.get("delta", "")))
        elif kind == "response.output_item.added" and (event.get("item") or {}).get("type") == "function_call":
            into.calls[at] = [str(event["item"].get("call_id", "")), str(event["item"].get("name", "")), ""]
        elif kind == "response.function_call_arguments.delta" and at in into.calls:
            into.calls[at][2] += str(event.get("delta", ""))
        elif kind in ("response.completed", "response.incomplete"):
            response = event.get("response") or {}
            into.usage = _usage(response.get("usage")) or into.usage
            into.model = str(response.get("model", ""))
            into.whole = True

    def messages(self, request: Body) -> list[Message]:
        found = [Message("system", flat(request["instructions"]))] if request.get("instructions") else []
        given = request.get("input")
        if isinstance(given, str):
            return [*found, Message("user", given)]
        for item in given or []:
            if item.get("type") == "function_call_output":
                found.append(Message("user", "", ((str(item.get("call_id", "")), flat(item.get("output"))),)))
            elif "role" in item:
                role = "system" if item["role"] == "developer" else str(item["role"])
                found.append(Message(role, flat(item.get("content"))))
        return found

    def tools(self, request: Body) -> dict[str, Body]:
        listed = [tool for tool in request.get("tools") or [] if isinstance(tool, dict) and tool.get("type") == "function"]
        return {str(tool.get("name", "")): tool.get("parameters") or {} for tool in listed}

    def server_tools(self, request: Body) -> list[str]:
        typed = [str(tool.get("type", "")) for tool in request.get("tools") or [] if isinstance(tool, dict)]
        return [kind for kind in typed if kind not in _CLIENT_SIDE]

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


def _arguments(text: Any) -> Body:
    try:
        value = json.loads(text)
    except (TypeError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _usage(told: Any) -> Usage | None:
    if not isinstance(told, dict):
        return None
    details = told.get("input_tokens_details") or {}
    return Usage(count(told.get("input_tokens")), count(told.get("output_tokens")), count(details.get("cached_tokens")))


def _written(usage: Usage) -> Body:
    return {
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": usage.cached},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": usage.total,
    }
