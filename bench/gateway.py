"""What relay and gateway add to a model request, beside the bare upstream in the same run: latency alone, and 16 agents at once.

    python bench/gateway.py [--requests 300] [--agents 16]

The upstream is a local server that answers at once, so that all that is measured is ours. The client, the relay, the gateway and
the upstream are processes of their own, as in a run.
"""

import argparse
import asyncio
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

from rexbench.gateway.door import Door
from rexbench.gateway.settings import ForwardSettings, GatewaySettings
from rexbench.gateway.wires.choose import WIRES
from rexbench.gateway.wires.protocol import Answer, Usage

PATH = "/v1/messages"
BODY = {"model": "m", "max_tokens": 1000, "messages": [{"role": "user", "content": "x" * 20_000}], "tools": []}
ANSWER = Answer("y" * 2_000, usage=Usage(5000, 500), whole=True)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--requests", type=int, default=300)
    options.add_argument("--agents", type=int, default=16)
    options.add_argument("--client", metavar="URL", help=argparse.SUPPRESS)
    options.add_argument("--upstream", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.upstream:
        serve_upstream()
    elif given.client:
        print(json.dumps(measure(given.client, given.requests, given.agents)))
    else:
        compare(given.requests, given.agents)


def compare(requests: int, agents: int) -> None:
    """Print both, side by side."""
    with subprocess.Popen([sys.executable, __file__, "--upstream"], stdout=subprocess.PIPE, text=True) as upstream:
        assert upstream.stdout
        url = upstream.stdout.readline().strip()
        client = [sys.executable, __file__, "--requests", str(requests), "--agents", str(agents), "--client"]
        try:
            bare = json.loads(subprocess.run([*client, url], capture_output=True, text=True, check=True).stdout)
            with tempfile.TemporaryDirectory() as folder:
                provider = ForwardSettings(base_url=url, key="k", key_header="x-api-key")
                settings = GatewaySettings(provider=provider, models=("m",), priced_as=None)
                with Door(settings, Path(folder, "door"), Path(folder, "exchanges.jsonl"), os.environ) as door:
                    door.wait_ready()
                    relay = [sys.executable, "-m", "rexbench.gateway.relay", str(door.socket), *client, "{gateway}"]
                    ours = json.loads(subprocess.run(relay, capture_output=True, text=True, check=True).stdout)
        finally:
            upstream.terminate()
    print(f"{'':34}{'bare upstream':>16}{'relay + gateway':>18}{'added':>12}")
    for kind in ("whole", "streamed"):
        for name in ("median", "p95"):
            before, after = bare[kind][name], ours[kind][name]
            print(f"{f'one agent, {kind}, {name} (ms)':34}{before:16.2f}{after:18.2f}{after - before:12.2f}")
    before, after = bare["throughput"], ours["throughput"]
    print(f"{f'{agents} agents, requests per second':34}{before:16.0f}{after:18.0f}{f'{after / before:.2f} x':>12}")
    before, after = bare["crowded"], ours["crowded"]
    print(f"{f'{agents} agents, median latency (ms)':34}{before:16.1f}{after:18.1f}{after - before:12.1f}")


def measure(url: str, requests: int, agents: int) -> dict[str, object]:
    """Latencies of one client, then of many at once, each on a connection of its own that is kept."""
    result: dict[str, object] = {}
    for kind in ("whole", "streamed"):
        times = sorted(ask_many(url, requests, kind == "streamed")[requests // 10 :])
        result[kind] = {"median": statistics.median(times), "p95": times[int(len(times) * 0.95)]}
    collected: list[float] = []
    threads = [threading.Thread(target=lambda: collected.extend(ask_many(url, requests // 4, False))) for _ in range(agents)]
    since = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    result["throughput"] = len(collected) / (time.perf_counter() - since)
    result["crowded"] = statistics.median(collected)
    return result


def ask_many(url: str, requests: int, streamed: bool) -> list[float]:
    """Milliseconds of each request."""
    connection = http.client.HTTPConnection(str(urlsplit(url).netloc))
    content = json.dumps(BODY | {"stream": streamed}).encode()
    times = []
    for _ in range(requests):
        since = time.perf_counter()
        connection.request("POST", PATH, content, {"content-type": "application/json"})
        answer = connection.getresponse().read()
        times.append((time.perf_counter() - since) * 1000)
        assert b"yyyy" in answer
    return times


def serve_upstream() -> None:
    """A provider that answers at once."""
    import uvicorn

    wire = WIRES["anthropic"]
    whole = json.dumps(wire.write_answer(ANSWER, BODY, 1)).encode()
    events = list(wire.write_events(ANSWER, BODY, 1))

    async def app(scope, receive, send):  # type: ignore[no-untyped-def]
        content = b""
        while True:
            message = await receive()
            content += message.get("body", b"")
            if not message.get("more_body"):
                break
        streamed = b'"stream": true' in content
        kind = b"text/event-stream" if streamed else b"application/json"
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind)]})
        for event in events if streamed else [whole]:
            await send({"type": "http.response.body", "body": event, "more_body": True})
        await send({"type": "http.response.body"})

    async def serve() -> None:
        server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="critical", lifespan="off"))
        task = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        print(f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}", flush=True)
        await task

    os.setpgrp()
    asyncio.run(serve())


if __name__ == "__main__":
    main()
