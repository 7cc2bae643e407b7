"""An agent's step: workspace, gateway, sandbox, program; then the patch, whatever happened.

The record says how it ended, in whose fault, and what it used. Nothing here looks at whether the patch is any good.
"""

import time
from dataclasses import dataclass, replace
from pathlib import Path

from rexbench.agent.captures import MINUTES, Captures
from rexbench.agent.catalog import find_agent
from rexbench.agent.controls import CONTROLS, control_patch
from rexbench.agent.install import Program, Programs
from rexbench.agent.keeping import keep_files, make_step, measure
from rexbench.agent.launching import lay_out, make_job
from rexbench.agent.outcome import Ended, Ran, blame, capture_leavings, ours, outcome_of, read_said
from rexbench.agent.prompt import gateway_settings, make_prompt
from rexbench.agent.protocol import Adapter, Brief, Launch, read_bounded
from rexbench.agent.settings import Agent
from rexbench.errors import RexbenchError, SystemFault
from rexbench.gateway.door import Door
from rexbench.gateway.exchange import ExchangeFile
from rexbench.gateway.meter import is_priced
from rexbench.gateway.models import Model
from rexbench.gateway.wires.protocol import WireName
from rexbench.record.model import AgentStep
from rexbench.sandbox.protocol import Finished
from rexbench.task.folder import HintLevel, Task
from rexbench.workbench import Workbench
from rexbench.workspace.capture import Captured
from rexbench.workspace.tree import make_workspace

GRACE = 10.0
"""Seconds that an agent has to end by itself once its budget is used up or its provider is gone."""


def run_agent(task: Task, hints: HintLevel, agent: Agent, model: Model | None, bench: Workbench, into: Path) -> AgentStep:
    """Run the agent and leave patch.diff, exchanges, trajectory and logs in `into`; returns the record, which the caller keeps."""
    if agent.agent in CONTROLS:
        captured = Captured(control_patch(agent.agent, task), ())
        (into / "patch.diff").write_bytes(captured.patch)
        return make_step(task, hints, agent, bench, "finished", "", captured)
    adapter = find_agent(agent.agent)
    _check(agent, model)
    assert model
    program = Programs(bench.home, bench.settings.variables).find(adapter.program) if adapter.program else None
    if bench.sandbox.name == "process":
        raise RexbenchError("Agents run only in an isolating sandbox (bubblewrap, docker or podman).")
    provider = "" if model.scripted else model.name.partition("/")[0]
    wire = _common_wire(adapter, model)
    brief = Brief(make_prompt(agent), model.bare, wire, provider, agent.limits.seconds, model.scripted, agent.options)
    with bench.home.scratch("agent") as folder:
        ran = _run(_Given(task, hints, agent, model, into), bench, folder, adapter.launch(brief), program)
        said = read_said(adapter, folder / "output")
        outcome, fault = outcome_of(ran, said)
        detail = fault.why if fault else ""
        if outcome == "crashed" and not said.last_words:
            detail += read_bounded(folder / "output" / "stderr.log", 1500)
        step = make_step(task, hints, agent, bench, outcome, detail, ran.captured, **measure(ran, brief, program))
        return keep_files(ran, step, folder, into)


@dataclass(frozen=True)
class _Given:
    task: Task
    hints: HintLevel
    agent: Agent
    model: Model
    into: Path

    @property
    def captures(self) -> tuple[float, ...]:
        usual = MINUTES if self.task.spec.kind == "scored" else ()
        return usual if self.agent.captures is None else self.agent.captures


def _check(agent: Agent, model: Model | None) -> None:
    if model is None:
        raise RexbenchError(f"The agent {agent.name!r} needs a model; give one with --model provider/model.")
    if agent.limits.usd is not None and not is_priced(model.priced_as, model.price):
        raise RexbenchError(
            f"No price is known for {model.name}, so a budget in money cannot be held; "
            "give --price INPUT,OUTPUT per million tokens, or --budget-tokens instead."
        )


def _common_wire(adapter: Adapter, model: Model) -> WireName:
    for wire in adapter.wires:
        if wire in model.wires:
            return wire
    speaks, served = " or ".join(adapter.wires), " or ".join(model.wires)
    raise RexbenchError(f"{adapter.name} speaks {speaks}, and {model.name} is served as {served}; choose another.")


def _run(given: _Given, bench: Workbench, folder: Path, launch: Launch, program: Program | None) -> Ran:
    """Everything from the empty folder to the captured patch. What goes wrong is told in the result, beside what was used."""
    task, exchanges = given.task, folder / "exchanges.jsonl"
    door = Door(gateway_settings(given.agent, given.model), folder / "door", exchanges, bench.settings.variables)
    finished: Finished | None = None
    broke: Ended | None = None
    started, died, since = False, False, time.monotonic()
    captures = Captures(task, folder / "workspace", bench.home, given.into, given.captures)
    try:
        with door, bench.gpus.leased(task.spec.limits.gpus) as gpus:  # the door starts up while the workspace is made
            make_workspace(task, folder / "workspace", given.hints)
            lay_out(folder, given.agent, launch)
            environment = bench.sandbox.prepare(task.spec.environment)
            job = make_job(folder, given.agent, environment, launch, program, door.socket, _Stop(door, captures))
            door.wait_ready()
            started, since = True, time.monotonic()
            captures.begin()
            try:
                finished = bench.sandbox.run(replace(job, gpus=gpus))
            finally:
                died = door.dead
                captures.end()
    except (SystemFault, OSError) as error:
        broke = blame(error, folder) if started else ours(str(error))
    captured, unread = capture_leavings(task, folder, bench.home)
    seconds = finished.seconds if finished else time.monotonic() - since
    return Ran(finished, captured, door.events, died, ExchangeFile(exchanges), broke or unread, seconds)


class _Stop:
    """Asked all the time: takes captures that are due, and ends a run that goes on although there is no model any more."""

    def __init__(self, door: Door, captures: Captures) -> None:
        self._door, self._captures = door, captures
        self._since: float | None = None

    def __call__(self) -> bool:
        self._captures()
        if self._door.dead:
            return True
        if self._door.events.limit is None and self._door.events.outage is None:
            return False
        self._since = self._since or time.monotonic()
        return time.monotonic() - self._since > GRACE
