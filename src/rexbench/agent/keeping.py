"""What is kept of an agent's step: the record, the patch, the exchanges, the trajectory and the program's own logs.

The agent wrote much of it. Names and sizes are bounded, and nothing in it can keep the rest from being kept.
"""

import gzip
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import rexbench
from rexbench.agent.install import Program
from rexbench.agent.outcome import Ran
from rexbench.agent.protocol import LONGEST_LOG, Brief, read_bounded
from rexbench.agent.settings import Agent
from rexbench.agent.trajectory import write_trajectory
from rexbench.errors import PatchRejected
from rexbench.gateway.exchange import main_conversation
from rexbench.record.clock import now
from rexbench.record.model import AgentOutcome, AgentStep, Fault, TokenCount
from rexbench.task.folder import HintLevel, Task
from rexbench.text import printable
from rexbench.workbench import Workbench
from rexbench.workspace.capture import Captured
from rexbench.workspace.patch import EMPTY, patch_digest, summarise

_MOST_LOGS = 2_000
_MOST_LOG_BYTES = 64 * 1024 * 1024
_DEEPEST_LOG = 16
_MOST_SKIPPED = 200


def measure(ran: Ran, brief: Brief, program: Program | None) -> dict[str, object]:
    """What a step used, by its exchanges and its sandbox: on record however it ended."""
    tokens, cost, requests, waited = TokenCount(), 0.0, 0, 0.0
    known = True
    for exchange in ran.exchanges:
        requests += 1
        waited += exchange.seconds
        if exchange.usage:
            used = exchange.usage
            tokens = TokenCount(
                input=tokens.input + used.input, output=tokens.output + used.output, cached=tokens.cached + used.cached
            )
            known = known and exchange.cost_usd is not None
            cost += exchange.cost_usd or 0.0
    refused = ran.events.refused
    return {
        "agent_version": program.version if program else "",
        "program_digest": program.digest if program else "",
        "wire": brief.wire,
        "prompt": brief.prompt,
        "status": ran.finished.status if ran.finished else None,
        "tokens": tokens,
        "cost_usd": cost if known else None,
        "turns": sum(exchange.ending == "whole" for exchange in main_conversation(ran.exchanges)),
        "requests": requests,
        "seconds": round(ran.seconds, 3),
        "model_seconds": round(min(ran.seconds, waited), 3),
        "refused": (*refused, f"{ran.events.refusals} requests in all") if ran.events.refusals > len(refused) else tuple(refused),
        "enforced": ran.finished.enforced if ran.finished else {},
    }


def keep_files(ran: Ran, step: AgentStep, folder: Path, into: Path) -> AgentStep:
    """Leave the files beside the record; gives the record, which says so where the disk did not take them."""
    try:
        (into / "patch.diff").write_bytes(ran.captured.patch)
        _keep_exchanges(ran, step, into)
        _keep_logs(folder / "output", into / "agent")
    except OSError as error:
        why = printable(f"what the agent left could not be kept: {error}")
        return step.model_copy(update={"outcome": "system_fault", "detail": why, "fault": Fault(by="system", why=why)})
    return step


def _keep_exchanges(ran: Ran, step: AgentStep, into: Path) -> None:
    if ran.exchanges.path.exists():
        with (
            ran.exchanges.path.open("rb") as plain,
            gzip.GzipFile(into / "exchanges.jsonl.gz", "wb", compresslevel=4, mtime=0) as packed,
        ):
            shutil.copyfileobj(plain, packed)
    write_trajectory(into / "trajectory.json", step, ran.exchanges)


def _keep_logs(output: Path, into: Path) -> None:
    left = _MOST_LOG_BYTES
    for source in _logs(output):
        content = read_bounded(source, min(LONGEST_LOG, left)).encode()
        target = into / source.relative_to(output)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        left -= len(content)
        if left <= 0:
            break


def _logs(output: Path) -> Iterator[Path]:
    """The plain files that the agent left in its own folder, with names that can be shown."""
    found = 0
    for parent, folders, files in os.walk(output):
        inside = Path(parent).relative_to(output)
        folders[:] = sorted(name for name in folders if name.isprintable()) if len(inside.parts) < _DEEPEST_LOG else []
        for name in sorted(name for name in files if name.isprintable()):
            source = os.path.join(parent, name)
            if len(str(inside)) + len(name) > 1_000 or os.path.islink(source) or not os.path.isfile(source):
                continue  # asked this way, what may not be looked at is no file
            yield Path(source)
            found += 1
            if found >= _MOST_LOGS:
                return


def make_step(
    task: Task,
    hints: HintLevel,
    agent: Agent,
    bench: Workbench,
    outcome: AgentOutcome,
    detail: str,
    captured: Captured,
    **measured: object,
) -> AgentStep:
    """The record of a step; what is not measured is nothing."""
    try:
        summary = summarise(captured.patch, Path("/"))
    except PatchRejected:  # judging says so in the open
        summary = EMPTY
    nothing: dict[str, object] = {
        "agent_version": "", "program_digest": "", "wire": "", "prompt": "", "status": None, "tokens": TokenCount(),
        "cost_usd": 0.0, "turns": 0, "requests": 0, "seconds": 0.0, "model_seconds": 0.0, "refused": (), "enforced": {},
    }  # fmt: skip
    detail = printable(detail)
    by = "system" if outcome == "system_fault" else "agent"
    skipped = [printable(name, 300) for name in captured.skipped[:_MOST_SKIPPED]]
    skipped += [f"and {len(captured.skipped) - _MOST_SKIPPED} more"] if len(captured.skipped) > _MOST_SKIPPED else []
    return AgentStep.model_validate(
        nothing
        | measured
        | {
            "task": task.id,
            "task_digest": task.digest,
            "hints": hints,
            "agent": agent.agent,
            "model": agent.model,
            "condition": agent.condition,
            "options": agent.options,
            "limits": agent.limits,
            "outcome": outcome,
            "detail": detail,
            "fault": None if outcome == "finished" else Fault(by=by, why=detail),
            "skipped": tuple(skipped),
            "patch_digest": patch_digest(captured.patch) if captured.patch.strip() else "",
            "files": summary.files,
            "lines_added": summary.lines_added,
            "lines_removed": summary.lines_removed,
            "sandbox": bench.settings.sandbox,
            "machine": bench.machine(task),
            "written_at": now(),
            "version": rexbench.__version__,
        }
    )
