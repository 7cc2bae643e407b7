"""An agent's step: workspace, gateway, sandbox, program; then the patch, whatever happened.

The record says how it ended, in whose fault, and what it used. Nothing here looks at whether the patch is any good.
"""

import time
from dataclasses import replace
from pathlib import Path

from rexbench.agent.catalog import find_agent
from rexbench.agent.controls import CONTROLS, control_patch
from rexbench.agent.install import Program, find_program
from rexbench.agent.keeping import keep_files, make_step, measure
from rexbench.agent.launching import lay_out, make_job
from rexbench.agent.outcome import Ended, Ran, blame, capture_leavings, ours, outcome_of, read_said
from rexbench.agent.protocol import Agent, Brief, Launch, read_bounded
from rexbench.agent.settings import PAPER_PROMPT, AgentSettings, gateway_settings, make_prompt
from rexbench.errors import RexbenchError, SystemFault
from rexbench.gateway.door import Door
from rexbench.gateway.exchange import ExchangeFile
from rexbench.gateway.meter import is_priced
from rexbench.gateway.models import Model
from rexbench.gateway.wires.protocol import WireName
from rexbench.places import scratch
from rexbench.record.model import AgentStep
from rexbench.sandbox.protocol import Finished, Sandbox
from rexbench.task.folder import HintLevel, Task
from rexbench.workspace.capture import Captured
from rexbench.workspace.tree import make_workspace

__all__ = ["PAPER_PROMPT", "AgentSettings", "make_prompt", "make_step", "run_agent"]

GRACE = 10.0
"""Seconds that an agent has to end by itself once its budget is used up or its provider is gone."""


def run_agent(task: Task, hints: HintLevel, settings: AgentSettings, sandbox: Sandbox, into: Path) -> AgentStep:
    """Run the agent and leave patch.diff, exchanges, trajectory and logs in `into`; returns the record, which the caller keeps."""
    if settings.agent in CONTROLS:
        captured = Captured(control_patch(settings.agent, task), ())
        (into / "patch.diff").write_bytes(captured.patch)
        return make_step(task, hints, settings, sandbox.name, "finished", "", captured)
    agent, model = find_agent(settings.agent), _model_of(settings)
    program = find_program(agent.program) if agent.program else None
    if sandbox.name == "process":
        raise RexbenchError("Agents run only in an isolating sandbox (bubblewrap, docker or podman).")
    provider = "" if model.scripted else model.name.partition("/")[0]
    wire = _common_wire(agent, model)
    brief = Brief(make_prompt(settings), model.bare, wire, provider, settings.limits.seconds, model.scripted, settings.options)
    with scratch("agent") as folder:
        ran = _run(task, hints, settings, sandbox, folder, agent.launch(brief), program)
        said = read_said(agent, folder / "output")
        outcome, fault = outcome_of(ran, said)
        detail = fault.why if fault else ""
        if outcome == "crashed" and not said.last_words:
            detail += read_bounded(folder / "output" / "stderr.log", 1500)
        step = make_step(task, hints, settings, sandbox.name, outcome, detail, ran.captured, **measure(ran, brief, program))
        return keep_files(ran, step, folder, into)


def _model_of(settings: AgentSettings) -> Model:
    if settings.model is None:
        raise RexbenchError(f"The agent {settings.agent!r} needs a model; give one with --model provider/model.")
    if settings.limits.usd is not None and not is_priced(settings.model.priced_as, settings.model.price):
        raise RexbenchError(
            f"No price is known for {settings.model.name}, so a budget in money cannot be held; "
            "give --price INPUT,OUTPUT per million tokens, or --budget-tokens instead."
        )
    return settings.model


def _common_wire(agent: Agent, model: Model) -> WireName:
    for wire in agent.wires:
        if wire in model.wires:
            return wire
    raise RexbenchError(
        f"{agent.name} speaks {' or '.join(agent.wires)}, and {model.name} is served as {' or '.join(model.wires)}; choose another."
    )


def _run(
    task: Task, hints: HintLevel, settings: AgentSettings, sandbox: Sandbox, folder: Path, launch: Launch, program: Program | None
) -> Ran:
    """Everything from the empty folder to the captured patch. What goes wrong is told in the result, beside what was used."""
    assert settings.model
    exchanges = folder / "exchanges.jsonl"
    door = Door(gateway_settings(settings, settings.model), folder / "door", exchanges)
    finished: Finished | None = None
    broke: Ended | None = None
    started, died, since = False, False, time.monotonic()
    try:
        with door:  # it starts up while the workspace is made
            make_workspace(task, folder / "workspace", hints)
            lay_out(folder, settings, launch)
            environment = sandbox.prepare(task.spec.environment)
            job = make_job(folder, settings, environment, launch, program, door.socket, _Stop(door))
            job = replace(job, gpus=task.spec.limits.gpus)
            door.wait_ready()
            started, since = True, time.monotonic()
            try:
                finished = sandbox.run(job)
            finally:
                died = door.dead
    except (SystemFault, OSError) as error:
        broke = blame(error, folder) if started else ours(str(error))
    captured, unread = capture_leavings(task, folder)
    seconds = finished.seconds if finished else time.monotonic() - since
    return Ran(finished, captured, door.events, died, ExchangeFile(exchanges), broke or unread, seconds)


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
