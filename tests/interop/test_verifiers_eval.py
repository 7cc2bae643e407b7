"""A rollout by verifiers' own program: its harness asks a model on loopback, its tools work in our sandbox, its reward is ours."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rexbench.api.bench import Bench, HeldOut
from rexbench.gateway.wires.protocol import Answer, ToolCall, Usage
from rexbench.interop.training.episode import training_seed
from rexbench.task.scaffold import new_task
from tests.gateway.upstream import Upstream, provider

USED = Usage(100, 10, 0)


def follow(upstream: Upstream, *calls: tuple[str, Mapping[str, str]]) -> None:
    """Make the model call these tools, one after the other, and end."""
    asked = [ToolCall(f"call-{at}", name, dict(given)) for at, (name, given) in enumerate(calls)]
    told = iter([*(Answer("", calls=(one,), usage=USED, whole=True) for one in asked), Answer("Done.", usage=USED, whole=True)])
    upstream.answer = lambda wire, body: next(told)


def rollout(upstream: Upstream, out: Path) -> dict[str, Any]:
    """The one trace of a run of `vf-eval`, with its plainest harness as a process of this machine."""
    command = [str(Path(sys.executable).with_name("vf-eval")), "rexbench-taskset", "-n", "1", "--model", "scripted"]
    command += ["--env.agent.harness.id", "null", "--env.agent.runtime.type", "subprocess"]
    command += ["--client.base-url", f"{upstream.url}/v1", "--client.api-key-var", "NO_KEY"]
    command += ["--no-rich", "--no-push", "--output-dir", str(out), "--run.name", "run"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "NO_KEY": "none"})
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    (line,) = (out / "run" / "traces.jsonl").read_text().splitlines()
    (trace,) = json.loads(line)["traces"]
    return dict(trace)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("scored", [False, True])
def test_a_rollout_by_verifiers_own_program_is_worth_what_evaluate_says(
    scored: bool, home: Path, tasks: Path, tmp_path: Path
) -> None:
    new_task(tasks / "one", scored=scored)
    bench = Bench(home=home, tasks=tasks)
    gold = bench.task("one").vault.gold.decode()
    with provider() as upstream:
        follow(
            upstream,
            ("write", {"path": "/var/tmp/gold.patch", "text": gold}),
            ("shell", {"command": "git apply /var/tmp/gold.patch"}),
            ("read", {"path": "nowhere"}),
        )
        trace = rollout(upstream, tmp_path / "out")
    assert (trace["ok"], trace["errors"]) == (True, [])
    answers = [message["content"] for message in upstream.requests[-1]["body"]["messages"] if message["role"] == "tool"]
    assert [str(answer).partition("[")[2] for answer in answers] == ["", "status 0]", ""], answers
    seed = training_seed("one", trace["task"]["data"]["rexbench_seed"])
    verdict = bench.evaluate("one", gold, HeldOut(seed=seed))
    assert verdict.outcome == "success"
    assert trace["rewards"]["reward"]["score"] == (verdict.score if scored else 1.0)
