"""OpenAI Chat Completions, as spoken by most providers and local servers."""

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
from rexbench.gateway.wires.shapes import ChatRequest


class OpenAIChat:
    """The Chat Completions protocol."""

    name: WireName = "openai-chat"
    shape: type[BaseModel] = ChatRequest

    def maximum(self, request: Body) -> int | None:
        named = [value for name in ("max_tokens", "max_completion_tokens") if (value := request.get(name))]
        return max(named) * (request.get("n") or 1) if named else None

    def with_maximum(self, request: Body, tokens: int) -> Body:
        return request | {"max_tokens": max(1, tokens // (request.get("n") or 1))}

    def clean_request(self, model: str) -> Body:
        return {"model": model, "messages": [{"role": "user", "content": "Say yes."}]}

    def read_answer(self, body: Body) -> Answer:
        reader = Reader(model=str(body.get("model", "")))
        for choice in objects(body.get("choices"))[:1]:
            _take(within(choice, "message"), reader)
            reader.whole = choice.get("finish_reason") is not None
        reader.usage = _usage(within(body, "usage"))
        return reader.answer()

    def read_event(self, event: Body, into: Reader) -> None:
        into.model = str(event.get("model") or into.model)
        into.error = within(event, "error") or into.error
        for choice in objects(event.get("choices"))[:1]:
            _take(within(choice, "delta"), into)
            into.whole = into.whole or choice.get("finish_reason") is not None
        usage = _usage(within(event, "usage"))
        if usage:  # some servers count along from the first event on; only a count beside or after the end is the whole one
            into.usage, into.told = usage, into.whole

    def messages(self, request: Body) -> list[Message]:
        found = []
        for message in objects(request.get("messages")):
            text, role = flat(message.get("content")), str(message.get("role", ""))
            if role == "tool":
                found.append(Message("user", "", ((str(message.get("tool_call_id", "")), text),)))
            else:
                found.append(Message("system" if role == "developer" else role, text))
        return found

    def tools(self, request: Body) -> dict[str, Body]:
        functions = [within(tool, "function") for tool in objects(request.get("tools"))]
        return {str(function["name"]): within(function, "parameters") for function in functions if "name" in function}

    def server_tools(self, request: Body) -> list[str]:
        typed = [str(tool.get("type") or "function") for tool in objects(request.get("tools"))]
        return [kind for kind in typed if kind not in ("function", "custom")]

    def write_answer(self, answer: Answer, request: Body, number: int) -> Body:
        message: Body = {"role": "assistant", "content": answer.text or None}
        if answer.calls:
            message["tool_calls"] = [_call(call) for call in answer.calls]
        choice = {"index": 0, "message": message, "finish_reason": _reason(answer)}
        return _head(request, number, "chat.completion") | {"choices": [choice], "usage": _written(answer.usage or Usage())}

    def write_events(self, answer: Answer, request: Body, number: int) -> Iterator[bytes]:
        head = _head(request, number, "chat.completion.chunk")

        def chunk(delta: Body, reason: str | None = None) -> bytes:
            return sse(head | {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})

        yield chunk({"role": "assistant", "content": ""})
        for piece in pieces(answer.text):
            yield chunk({"content": piece})
        for at, call in enumerate(answer.calls):
            yield chunk({"tool_calls": [{"index": at} | _call(call)]})
        yield chunk({}, _reason(answer))
        if (request.get("stream_options") or {}).get("include_usage"):
            yield sse(head | {"choices": [], "usage": _written(answer.usage or Usage())})
        yield b"data: [DONE]\n\n"

    def error(self, status: int, message: str) -> Body:
        return openai_error(status, message)


def openai_error(status: int, message: str) -> Body:
    """An error as OpenAI writes it, in both of its protocols."""
    kinds = {401: "authentication_error", 403: "insufficient_quota", 429: "rate_limit_error"}
    kind = kinds.get(status, "invalid_request_error" if status < 500 else "server_error")
    return {"error": {"message": message, "type": kind, "param": None, "code": kind}}


def _take(message: Body, into: Reader) -> None:
    """A message or a delta: text is appended, tool calls are put together by their index."""
    into.text.append(flat(message.get("content")))
    into.reasoning.append(flat(message.get("reasoning_content") or message.get("reasoning")))
    for position, call in enumerate(objects(message.get("tool_calls"))):
        function = within(call, "function")
        known = into.calls.setdefault(str(call.get("index", position)), ["", "", ""])
        known[0] = str(call.get("id") or known[0])
        known[1] = str(function.get("name") or known[1])
        known[2] += str(function.get("arguments") or "")


def _usage(told: Body) -> Usage | None:
    asked, answered = count(told.get("prompt_tokens")), count(told.get("completion_tokens"))
    if asked is None or answered is None:
        return None
    cached = count(within(told, "prompt_tokens_details").get("cached_tokens")) or 0
    # Where the total is more than both, the rest was thought: it is paid for as output.
    return Usage(asked, max(answered, (count(told.get("total_tokens")) or 0) - asked), min(cached, asked))


def _written(usage: Usage) -> Body:
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.total,
        "prompt_tokens_details": {"cached_tokens": usage.cached},
    }


def _call(call: ToolCall) -> Body:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": json.dumps(call.arguments)}}


def _reason(answer: Answer) -> str:
    return "tool_calls" if answer.calls else "stop"


def _head(request: Body, number: int, kind: str) -> Body:
    return {"id": f"chatcmpl-{number:08d}", "object": kind, "created": 0, "model": request.get("model", "")}
