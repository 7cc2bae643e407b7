"""A real HTTP server on loopback that stands for a provider: it says what it was sent, and fails when told to."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from rexbench.gateway.wires.choose import PATHS, WIRES
from rexbench.gateway.wires.protocol import Answer, Body, Usage, Wire, sse

ANSWER = Answer("Done.", usage=Usage(1000, 100, 200), whole=True)


class Upstream:
    """What the server has seen, and how it is to behave."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.behave: Callable[[int], int | str] = lambda number: 200
        self.answer: Callable[[Wire, Body], Answer] = lambda wire, body: ANSWER
        self.url = ""


def untold(event: bytes) -> bytes:
    """An event without a word on what it cost."""
    head, mark, data = event.partition(b"data: ")
    if not data.startswith(b"{"):
        return event
    told = json.loads(data)
    for part in (told, told.get("message"), told.get("response")):
        if isinstance(part, dict):
            part.pop("usage", None)
    return head + mark + json.dumps(told).encode() + b"\n\n"


@contextmanager
def provider() -> Iterator[Upstream]:
    """Serve until the end of the block."""
    upstream = Upstream()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["content-length"]))
            body = json.loads(raw)
            upstream.requests.append({"path": self.path, "headers": dict(self.headers), "body": body, "raw": raw})
            behaviour = upstream.behave(len(upstream.requests))
            wire = WIRES[PATHS[self.path.partition("?")[0]]]
            if behaviour == "drop":
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
                return
            if isinstance(behaviour, int) and behaviour != 200:
                echoed = f"told {behaviour}; your key is {self.headers.get('x-api-key') or self.headers.get('authorization')}"
                self._send(behaviour, json.dumps(wire.error(behaviour, echoed)).encode(), "application/json")
            elif body.get("stream"):
                events = list(wire.write_events(upstream.answer(wire, body), body, 1))
                if behaviour == "cut":
                    events = events[:2]
                if behaviour == "malformed":
                    events[1] = b'data: {"type": "content_bl\n\n'
                if behaviour == "untold":
                    events = [untold(event) for event in events]
                if behaviour == "first count":
                    events = [untold(event) if at else event for at, event in enumerate(events)]
                if str(behaviour).startswith("error event "):
                    error = {"type": str(behaviour).removeprefix("error event "), "message": "no"}
                    events = [*events[:2], sse({"type": "error", "error": error}, "error")]
                self._send(200, b"".join(events), "text/event-stream", declared=behaviour != "cut")
            else:
                whole = wire.write_answer(upstream.answer(wire, body), body, 1)
                if behaviour == "untold":
                    whole.pop("usage", None)
                content = json.dumps(whole).encode()
                if behaviour in ("cut", "malformed"):
                    content = content[: len(content) // 2]
                self._send(200, content, "application/json", declared=behaviour != "cut")

        def _send(self, status: int, content: bytes, kind: str, declared: bool = True) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content) + (0 if declared else 1000)))
            self.send_header("x-request-id", "r-1")
            self.end_headers()
            self.wfile.write(content)
            if not declared:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a gateway may hang up
    threading.Thread(target=server.serve_forever, daemon=True).start()
    upstream.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield upstream
    finally:
        server.shutdown()
        server.server_close()
