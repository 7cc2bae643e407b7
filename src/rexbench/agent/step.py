"""An agent's step: workspace, gateway, sandbox, program; then the patch, whatever happened.

The record says how it ended, in whose fault, and what it used. Nothing here looks at whether the patch is any good.
"""

import gzip
import os
import shlex
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path

import rexbench
from rexbench.agent.catalog import find_agent
from rexbench.agent.controls import CONTROLS, control_patch
from rexbench.agent.install import Program, Programs
from rexbench.agent.protocol import OUTPUT, PROGRAM, Agent, Brief, Launch, Said, read_bounded
from rexbench.agent.trajectory import write_trajectory
from rexbench.errors import PatchRejected, RexbenchError, SystemFault
from rexbench.gateway import relay
from rexbench.gateway.door import Door, Events
from rexbench.gateway.exchange import Exchange, main_conversation, read_exchanges
from rexbench.gateway.meter import Budget, is_priced
from rexbench.gateway.models import Model
from rexbench.gateway.settings import GatewaySettings
from rexbench.gateway.wires.protocol import WireName
from rexbench.record.clock import now
from rexbench.record.model import AgentOutcome, AgentStep, Limits, TokenCount
from rexbench.sandbox.gpus import Gpu
from rexbench.sandbox.protocol import ENVIRONMENT, Finished, Job, ResourceLimits
from rexbench.task.folder import HintLevel, Task
from rexbench.text import printable
from rexbench.workbench import Workbench
from rexbench.workspace.capture import Captured, capture_patch
from rexbench.workspace.patch import EMPTY, patch_digest, summarise
from rexbench.workspace.tree import make_workspace

GRACE = 10.0
"""Seconds that an agent has to end by itself once its budget is used up or its provider is gone."""
_DOOR = "/run/rexbench"
_RELAY = "/opt/rexbench-relay.py"
_NO_PYTHON = "/opt/rexbench-no-python"
PAPER_PROMPT = "Read instructions.md and carry out the task."


@dataclass(frozen=True)
class AgentSettings:
    """One agent with everything that determines what it does."""

    agent: str
    model: Model | None
    """None for the controls."""
    limits: Limits
    condition: str = "open"
    options: dict[str, str] = field(default_factory=dict)
    allow_server_tools: bool = False
    retry_seconds: float = 300.0
    backoff_seconds: float = 1.0
    stall_seconds: float = 300.0


def run_agent(task: Task, hints: HintLevel, settings: AgentSettings, bench: Workbench, into: Path) -> AgentStep:
    """Run the agent and leave patch.diff, exchanges, trajectory and logs in `into`; returns the record, which the caller keeps."""
    if settings.agent in CONTROLS:
        return _control(task, hints, settings, bench, into)
    if settings.model is None:
        raise RexbenchError(f"The agent {settings.agent!r} needs a model; give one with --model provider/model.")
    agent = find_agent(settings.agent)
    program = Programs(bench.home, bench.settings.variables).find(agent.program) if agent.program else None
    if bench.sandbox.name == "process":
        raise RexbenchError("Agents run only in an isolating sandbox (bubblewrap, docker or podman).")
    wire = _common_wire(agent, settings.model)
    budget = settings.limits
    if budget.usd is not None and not is_priced(settings.model.priced_as, settings.model.price):
        raise RexbenchError(
            f"No price is known for {settings.model.name}, so a budget in money cannot be held; "
            "give --price INPUT,OUTPUT per million tokens, or --budget-tokens instead."
        )
    prompt = make_prompt(settings)
    model = settings.model
    provider = "" if model.scripted else model.name.partition("/")[0]
    brief = Brief(prompt, model.bare, wire, provider, budget.seconds, model.scripted, settings.options)
    with bench.home.scratch("agent") as folder:
        folder.chmod(0o711)
        ran = _run(task, hints, settings, bench, folder, agent.launch(brief), program)
        said = agent.read_log(folder / "output")
        return _record(task, hints, settings, bench, ran, said, brief, program, folder, into)


@dataclass(frozen=True)
class _Ran:
    """What is known once the sandbox is gone."""

    finished: Finished | None
    captured: Captured
    events: Events
    gateway_died: bool
    exchanges: tuple[Exchange, ...]
    fault: str | None
    """A fault of ours that kept the program from running."""
    seconds: float


def _run(
    task: Task, hints: HintLevel, settings: AgentSettings, bench: Workbench, folder: Path, launch: Launch, program: Program | None
) -> _Ran:
    assert settings.model
    tree, output, exchanges = folder / "workspace", folder / "output", folder / "exchanges.jsonl"
    gateway = GatewaySettings(
        provider=settings.model.provider,
        models=() if settings.model.name.startswith("replay:") else (settings.model.bare,),
        priced_as=settings.model.priced_as,
        price=settings.model.price,
        budget=Budget(usd=settings.limits.usd, tokens=settings.limits.tokens, requests=settings.limits.requests),
        allow_server_tools=settings.allow_server_tools,
        retry_seconds=settings.retry_seconds,
        backoff_seconds=settings.backoff_seconds,
        stall_seconds=settings.stall_seconds,
    )
    with Door(gateway, folder / "door", exchanges, bench.settings.variables) as door:  # it starts up while the workspace is made
        make_workspace(task, tree, hints)
        output.mkdir()
        for name, content in {"task.md": make_prompt(settings) + "\n", **launch.files}.items():
            (output / name).write_text(content, encoding="utf-8")
        since = time.monotonic()
        finished, fault = None, None
        try:
            door.wait_ready()
            with bench.gpus.leased(task.spec.limits.gpus) as gpus:
                finished = bench.sandbox.run(_job(task, settings, bench, folder, launch, program, _Stop(door), gpus))
        except (SystemFault, OSError) as error:
            fault = str(error)
        seconds = time.monotonic() - since
        died = door.dead
    kept = tuple(read_exchanges(exchanges)) if exchanges.exists() else ()
    return _Ran(
        finished, capture_patch(task, tree, bench.home), door.events, died, kept, fault, finished.seconds if finished else seconds
    )


class _Stop:
    """Ends a run that goes on although there is no model any more."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._since: float | None = None

    def __call__(self) -> bool:
        if self._door.dead:
            return True
        if self._door.events.limit is None and self._door.events.outage is None:
            return False
        self._since = self._since or time.monotonic()
        return time.monotonic() - self._since > GRACE


def _job(
    task: Task,
    settings: AgentSettings,
    bench: Workbench,
    folder: Path,
    launch: Launch,
    program: Program | None,
    stop: _Stop,
    gpus: tuple[Gpu, ...],
) -> Job:
    limits = settings.limits
    mounts = {_DOOR: folder / "door", _RELAY: Path(relay.__file__)}
    if program:
        mounts[PROGRAM] = program.folder
        if program.interpreter and not program.interpreter.is_relative_to("/usr"):
            mounts[str(program.interpreter)] = program.interpreter
    variables = dict(launch.variables)
    if settings.condition == "paper":
        mounts[_NO_PYTHON] = _stubs(folder / "no-python")
        variables["PATH"] = f"{_NO_PYTHON}:/usr/local/bin:/usr/bin:/bin"
    # Both streams go to files of the agent's own folder, which count towards its disk: a chatty agent is no reason to end it.
    inner = f"exec {shlex.join(launch.command)} > {OUTPUT}/stdout.log 2> {OUTPUT}/stderr.log < /dev/null"
    relayed = [f"{ENVIRONMENT}/bin/python", "-I", _RELAY, f"{_DOOR}/gateway.sock", "bash", "-c", inner]
    return Job(
        shlex.join(relayed),
        folder / "workspace",
        bench.sandbox.prepare(task.spec.environment),
        ResourceLimits(None, limits.memory_mb, limits.processes, limits.disk_mb, output_mb=64, wall_seconds=limits.seconds),
        variables=variables,
        mounts=mounts,
        writable={OUTPUT: folder / "output"},
        gpus=gpus,
        stop=stop,
    )


def make_prompt(settings: AgentSettings) -> str:
    """What the agent is told besides the instructions in its workspace."""
    if settings.condition == "paper":
        return PAPER_PROMPT
    limits = settings.limits
    budget = [f"{limits.seconds / 60:g} minutes"]
    budget += [f"{limits.usd:g} US dollars of model use"] if limits.usd is not None else []
    budget += [f"{limits.tokens} tokens"] if limits.tokens is not None else []
    budget += [f"{limits.requests} model requests"] if limits.requests is not None else []
    return (
        f"{PAPER_PROMPT}\n\nYou work in the current folder, a git repository. There is no network; `python` has the packages that "
        f"the codebase needs. You have {', '.join(budget)}; whatever is in the folder when that is used up, or when you end, is "
        "what counts, committed or not. Nobody will answer questions."
    )


def _stubs(folder: Path) -> Path:
    """Programs of Python's names that only say no: agents of the paper's condition could not execute Python."""
    folder.mkdir()
    for name in ("python", "python3", "pip", "pip3", "uv", "ipython", "pytest"):
        stub = folder / name
        stub.write_text("#!/bin/sh\necho 'Python cannot be executed in this condition.' >&2\nexit 126\n")
        stub.chmod(0o755)
    return folder


def _common_wire(agent: Agent, model: Model) -> WireName:
    for wire in agent.wires:
        if wire in model.wires:
            return wire
    raise RexbenchError(
        f"{agent.name} speaks {' or '.join(agent.wires)}, and {model.name} is served as {' or '.join(model.wires)}; choose another."
    )


def _outcome(ran: _Ran, said: Said) -> tuple[AgentOutcome, str]:
    """How the step ended. The gateway's word counts before the program's, which may end politely over an outage."""
    if ran.fault is not None:
        return "system_fault", ran.fault
    assert ran.finished
    mains = main_conversation(ran.exchanges)
    if ran.gateway_died:
        return "system_fault", "the gateway was killed"
    if ran.events.outage:
        return "system_fault", ran.events.outage
    if ran.events.limit:
        return "agent_limit", ran.events.limit
    if ran.finished.stopped_by == "wall":
        return "agent_limit", f"stopped after {ran.seconds:.0f} s"
    if ran.finished.stopped_by:
        return "crashed", f"stopped for using too much {ran.finished.stopped_by}"
    if mains and mains[-1].ending == "cut":
        return "system_fault", f"the provider broke off and the agent did not ask again: {mains[-1].detail}"
    if ran.finished.status != 0:
        return "crashed", f"ended with status {ran.finished.status}: {said.last_words}"
    return ("gave_up", said.last_words) if said.finished is False else ("finished", "")


def _record(
    task: Task,
    hints: HintLevel,
    settings: AgentSettings,
    bench: Workbench,
    ran: _Ran,
    said: Said,
    brief: Brief,
    program: Program | None,
    folder: Path,
    into: Path,
) -> AgentStep:
    outcome, detail = _outcome(ran, said)
    if outcome == "crashed" and not said.last_words:
        detail += read_bounded(folder / "output" / "stderr.log", 1500)
    counted = [exchange.usage for exchange in ran.exchanges if exchange.usage]
    tokens = TokenCount(
        input=sum(usage.input for usage in counted),
        output=sum(usage.output for usage in counted),
        cached=sum(usage.cached for usage in counted),
    )
    answered = [exchange for exchange in ran.exchanges if exchange.status == 200 and not exchange.path.endswith("/count_tokens")]
    known = all(exchange.cost_usd is not None for exchange in answered)
    (into / "patch.diff").write_bytes(ran.captured.patch)
    _keep_logs(folder, into)
    step = make_step(
        task, hints, settings, bench, outcome, detail, ran.captured,
        agent_version=program.version if program else "",
        program_digest=program.digest if program else "",
        wire=brief.wire,
        prompt=brief.prompt,
        status=ran.finished.status if ran.finished else None,
        tokens=tokens,
        cost_usd=sum(exchange.cost_usd or 0.0 for exchange in answered) if known else None,
        turns=sum(exchange.ending == "whole" for exchange in main_conversation(ran.exchanges)),
        requests=len(ran.exchanges),
        seconds=round(ran.seconds, 3),
        model_seconds=round(min(ran.seconds, sum(exchange.seconds for exchange in ran.exchanges)), 3),
        refused=tuple(ran.events.refused),
        enforced=ran.finished.enforced if ran.finished else {},
    )  # fmt: skip
    write_trajectory(into / "trajectory.json", step, ran.exchanges)
    return step


def _keep_logs(folder: Path, into: Path) -> None:
    """The exchanges, packed, and what the agent left in its own folder: plain files only, the largest cut."""
    exchanges = folder / "exchanges.jsonl"
    if exchanges.exists():
        with exchanges.open("rb") as plain, gzip.GzipFile(into / "exchanges.jsonl.gz", "wb", compresslevel=6, mtime=0) as packed:
            shutil.copyfileobj(plain, packed)
    kept = 0
    for parent, folders, files in os.walk(folder / "output"):
        folders.sort()
        for name in sorted(files):
            source = Path(parent, name)
            if source.is_symlink() or not source.is_file() or kept > 2_000:
                continue
            target = into / "agent" / source.relative_to(folder / "output")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(read_bounded(source), encoding="utf-8")
            kept += 1


def _control(task: Task, hints: HintLevel, settings: AgentSettings, bench: Workbench, into: Path) -> AgentStep:
    captured = Captured(control_patch(settings.agent, task), ())
    (into / "patch.diff").write_bytes(captured.patch)
    return make_step(task, hints, settings, bench, "finished", "", captured)


def make_step(
    task: Task,
    hints: HintLevel,
    settings: AgentSettings,
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
    return AgentStep.model_validate(
        nothing
        | measured
        | {
            "task": task.id,
            "task_digest": task.digest,
            "hints": hints,
            "agent": settings.agent,
            "model": settings.model.name if settings.model else "",
            "condition": settings.condition,
            "options": settings.options,
            "limits": settings.limits,
            "outcome": outcome,
            "detail": printable(detail)[-2000:],
            "skipped": captured.skipped,
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
