"""What a request must look like to be read at all, wire by wire: types alone, and only of what the gateway itself looks at.

Anything else in a request passes these models untouched; whether it may travel is decided in `gateway.admission`.
"""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Part = dict[str, Any]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Count = Annotated[int, Field(ge=1, le=100_000_000)]


class _Shape(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="allow", strict=True)


class _Request(_Shape):
    model: Name
    stream: bool | None = None
    tools: list[Part] | None = None
    max_tokens: Count | None = None


class _Said(_Shape):
    role: str
    content: str | list[Part] | None = None


class AnthropicRequest(_Request):
    messages: list[_Said]
    system: str | list[Part] | None = None


class _Called(_Shape):
    id: str | None = None
    function: Part | None = None


class _ChatMessage(_Said):
    tool_calls: list[_Called] | None = None


class ChatRequest(_Request):
    messages: list[_ChatMessage]
    functions: list[Part] | None = None
    max_completion_tokens: Count | None = None
    n: Annotated[int, Field(ge=1, le=128)] | None = None
    stream_options: Part | None = None


class ResponsesRequest(_Request):
    input: str | list[Part]
    instructions: str | None = None
    max_output_tokens: Count | None = None
