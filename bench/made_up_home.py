"""Campaigns for looking at: one that is complete, one on scored tasks, one that is under way, and a run with thousands of turns."""

import json
import os
import random
import socket
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # the made-up campaign is the tests'

from rexbench.campaign.folder import Campaign  # noqa: E402
from rexbench.places import owner_mark  # noqa: E402
from rexbench.record.clock import now  # noqa: E402
from rexbench.record.model import StepFault  # noqa: E402
from tests.reports.made_up import plan_for, write_campaign, write_scored_campaign  # noqa: E402

AGENTS = ("claude-code", "openhands-sonnet", "aider-sonnet", "mini-swe", "gold", "nop")
TASKS = ("cogs", "entity-tracking-multimodal", "explain-then-translate", "othello", "tree-of-thoughts", "winodict")
LONG_RUN = "claude-code/cogs/hints/1"


def make_home(folder: Path, turns: int = 400) -> list[Path]:
    """The folders of the three campaigns."""
    complete = write_campaign(folder / "summer-agents", plan_for(agents=AGENTS, tasks=TASKS, runs=3))
    write_long_trajectory(complete, LONG_RUN, turns)
    keep_logs(complete, LONG_RUN)
    scored = write_scored_campaign(folder / "scored-worlds")
    return [complete.folder, scored.folder, half_done(folder / "under-way").folder]


def half_done(folder: Path) -> Campaign:
    """A campaign that this process pretends to conduct."""
    campaign = write_campaign(folder, plan_for(agents=AGENTS[:4], tasks=TASKS, hints=("none", "hints"), runs=2), seed=3)
    names = campaign.names()
    random.Random(1).shuffle(names)
    for name in names[40:]:
        (campaign.run_folder(name) / "run.json").unlink()
    for name in names[44:]:
        for path in sorted(campaign.run_folder(name).rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
    fault = "the provider gave no answer for 600 s (503 Service Unavailable)"
    campaign.keep_fault(names[44], StepFault(kind="agent", attempt=1, fault=fault, where="node-07", written_at=now()))
    steps = [{"label": f"{name} {kind}", "where": where, "waits_for": ""} for name, kind, where in (
        (names[40], "verdict", "node-03"), (names[45], "agent", "node-03"), (names[46], "agent", "node-11"))]  # fmt: skip
    steps.append({"label": f"{names[47]} agent", "where": "", "waits_for": "Resources"})
    told = {
        "host": socket.gethostname(),
        "owner": owner_mark(),
        "steps": steps,
        "queued": len(names) - 48,
        "held_back": 0,
        "given_up": {},
    }
    (folder / "underway.json").write_text(json.dumps(told | {"written_at": now()}))
    return campaign


def write_long_trajectory(campaign: Campaign, name: str, turns: int) -> Path:
    """A conversation of many turns in the place of a run's own."""
    path = campaign.attempt_folder(name, campaign.attempts(name)[-1]) / "trajectory.json"
    path.write_text(
        json.dumps(
            {"schema_version": "ATIF-v1.4", "session_id": "s", "agent": {"name": "a", "version": "1"}, "steps": _steps(turns)}
        )
    )
    return path


def _steps(turns: int) -> list[dict[str, object]]:
    generator, at = random.Random(7), datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    steps: list[dict[str, object]] = [
        {
            "step_id": 1,
            "timestamp": at.isoformat(),
            "source": "user",
            "message": "Implement the extension that instructions.md describes.",
        }
    ]
    for number in range(2, turns + 1):
        at += timedelta(seconds=generator.uniform(3, 40))
        lines = generator.choice((2, 3, 5, 12, 60, 240))
        printed = "\n".join(
            f"step {number} epoch {row} loss {generator.random():.4f} accuracy {generator.random():.3f}" for row in range(lines)
        )
        call = {
            "tool_call_id": str(number),
            "function_name": "bash",
            "arguments": {"command": f"python train.py --seed {number} | tail -n {lines}"},
        }
        thought = (
            {"reasoning_content": "The paper warms up over 400 steps; the repository has no schedule."} if number % 3 == 0 else {}
        )
        tokens = {"prompt_tokens": 4000 + 310 * number, "cached_tokens": 3000 + 300 * number}
        steps.append(
            {
                "step_id": number,
                "timestamp": at.isoformat(),
                "source": "agent",
                "message": f"Turn {number}: the loss still falls, so I look at the schedule and run it once more.",
                **thought,
                "tool_calls": [call],
                "observation": {"results": [{"source_call_id": str(number), "content": printed}]},
                "metrics": {**tokens, "completion_tokens": generator.randrange(40, 900), "cost_usd": 0.002 + 0.00001 * number},
            }
        )
    return steps


def keep_logs(campaign: Campaign, name: str) -> None:
    folder = campaign.run_folder(name) / "evaluation-7"
    folder.mkdir()
    (folder / "stdout.log").write_text("".join(f"epoch {at} loss {1 / (at + 1):.4f}\n" for at in range(40)))
    (folder / "stderr.log").write_text("UserWarning: the schedule is longer than the training\n")


if __name__ == "__main__":
    make_home(Path(os.fspath(sys.argv[1])))
