"""A small agent of our own, run as the agent `command`: it speaks to the gateway, carries out shell calls, tries again twice."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rexbench.agent.settings import Agent
from rexbench.agent.step import run_agent
from rexbench.api.bench import Bench
from rexbench.campaign.models import resolve_script
from rexbench.gateway.models import scripted_model
from rexbench.gateway.script import Script
from rexbench.record.model import AgentStep, Limits
from rexbench.task.folder import Task

TINY = r"""
import json, os, subprocess, sys, time, urllib.error, urllib.request
streamed = os.environ.get("STREAMED") == "1"
tool = {"type": "function", "function": {"name": "bash", "parameters": {"type": "object", "properties": {}}}}
messages = [{"role": "user", "content": "go"}]

def ask():
    body = {"model": os.environ["MODEL"], "messages": messages, "tools": [tool], "stream": streamed}
    request = urllib.request.Request(os.environ["GATEWAY"] + "/v1/chat/completions", json.dumps(body).encode(),
                                     {"content-type": "application/json", "authorization": "Bearer x"})
    with urllib.request.urlopen(request, timeout=30) as response:
        content = response.read().decode()
    if not streamed:
        return json.loads(content)["choices"][0]["message"]
    message = {"role": "assistant", "content": "", "tool_calls": []}
    for line in content.splitlines():
        if line.startswith("data: ") and line != "data: [DONE]":
            event = json.loads(line[6:])
            if "error" in event:
                raise OSError(event["error"]["message"])
            for choice in event["choices"]:
                message["content"] += choice["delta"].get("content") or ""
                message["tool_calls"] += choice["delta"].get("tool_calls") or []
    if "[DONE]" not in content:
        raise OSError("cut")
    return message

while True:
    for left in (2, 1, 0):
        try:
            message = ask()
            break
        except urllib.error.HTTPError as error:
            print("refused", error.code, error.read().decode()[:300], flush=True)
            sys.exit(3)
        except OSError as error:
            print("no answer", error, flush=True)
            if not left:
                sys.exit(4)
            time.sleep(0.2)
    messages.append(message)
    if not message.get("tool_calls"):
        print("finished:", message["content"], flush=True)
        sys.exit(0)
    for call in message["tool_calls"]:
        command = json.loads(call["function"]["arguments"])["command"]
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
        print("ran", done.returncode, done.stderr[-300:], flush=True)
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": done.stdout[-2000:] + done.stderr[-2000:]})
"""

RunTiny = Callable[..., AgentStep]


def tiny_command(streamed: bool = False) -> str:
    return f"STREAMED={int(streamed)} python - <<'TINY'\n{TINY}\nTINY"


@pytest.fixture
def run_tiny(toy: Task, tmp_path: Path) -> RunTiny:
    """Runs the small agent on the toy task with a scripted model; leaves the attempt in tmp_path/attempt."""

    def run(turns: list[dict[str, Any]], streamed: bool = False, command: str | None = None, **changes: Any) -> AgentStep:
        limits = Limits(seconds=changes.pop("seconds", 60), **changes.pop("limits", {}))
        script = Script.model_validate({"turns": turns, "price_as": changes.pop("price_as", None)})
        model = changes.pop("model", None) or scripted_model("scripted:test", resolve_script(script, toy))
        values: dict[str, Any] = {"retry_seconds": 2.0, "backoff_seconds": 0.05, "stall_seconds": 2.0, "drain_seconds": 1.0}
        settings = Agent("command", limits=limits, options={"command": command or tiny_command(streamed)}, **(values | changes))
        into = tmp_path / f"attempt{len(list(tmp_path.glob('attempt*'))) or ''}"
        into.mkdir()
        return run_agent(toy, "none", settings, model, Bench(), into)

    return run
