"""From a request's path to its wire."""

from rexbench.gateway.wires.anthropic import Anthropic
from rexbench.gateway.wires.openai_chat import OpenAIChat
from rexbench.gateway.wires.openai_responses import OpenAIResponses
from rexbench.gateway.wires.protocol import Wire, WireName

WIRES: dict[WireName, Wire] = {"anthropic": Anthropic(), "openai-chat": OpenAIChat(), "openai-responses": OpenAIResponses()}
PATHS: dict[str, WireName] = {
    "/v1/messages": "anthropic",
    "/v1/messages/count_tokens": "anthropic",
    "/v1/chat/completions": "openai-chat",
    "/v1/responses": "openai-responses",
}
COUNT_TOKENS = "/v1/messages/count_tokens"


def canonical(path: str) -> str:
    """A request's path as the providers write it; clients differ on whether the base URL ends in /v1."""
    path = "/" + path.strip("/")
    return path if path.startswith("/v1/") else f"/v1{path}"
