"""How an agent's step ended, and whose fault that was, by evidence.

Before the program runs everything is ours. From then on what the program does, asks for and leaves behind is the agent's, and is
judged as far as it goes. Ours stay: the sandbox, the gateway, the provider, the disk.
"""

import errno
import os
from dataclasses import dataclass
from pathlib import Path

from rexbench.agent.protocol import Adapter, Said
from rexbench.errors import RexbenchError, SystemFault
from rexbench.gateway.door import Events
from rexbench.gateway.exchange import ExchangeFile
from rexbench.places import Home
from rexbench.record.model import AgentOutcome, Fault
from rexbench.sandbox.protocol import Finished
from rexbench.task.folder import Task
from rexbench.workspace.capture import Captured, capture_patch

_STATES_OF_FILES = frozenset((errno.EACCES, errno.EPERM, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR))
_STATES_OF_FILES |= {errno.ENOENT, errno.ENXIO, errno.EINVAL}
"""What a file's name, kind or permissions can cause, and a full disk or a machine in trouble cannot."""

Ended = tuple[AgentOutcome, Fault]


@dataclass(frozen=True)
class Ran:
    """What is known once the sandbox is gone."""

    finished: Finished | None
    """None where the sandbox did not come to its end."""
    captured: Captured
    events: Events
    gateway_died: bool
    exchanges: ExchangeFile
    broke: Ended | None
    """What kept the program from running, the sandbox from ending, or the tree from being read."""
    seconds: float


def outcome_of(ran: Ran, said: Said) -> tuple[AgentOutcome, Fault | None]:
    """How the step ended. The gateway's word counts before the program's, which may end politely over an outage."""
    if ran.broke and ran.broke[1].by == "system":
        return ran.broke
    if ran.gateway_died:
        return ours("the gateway was killed")
    if ran.events.outage:
        return ours(ran.events.outage)
    if ran.broke:
        return ran.broke
    if ran.events.limit:
        return _theirs("agent_limit", ran.events.limit)
    if ran.captured.too_much:
        return _theirs("agent_limit", ran.captured.too_much)
    assert ran.finished
    if ran.finished.stopped_by == "wall":
        return _theirs("agent_limit", f"stopped after {ran.seconds:.0f} s")
    if ran.finished.stopped_by:
        return _theirs("crashed", f"stopped for using too much {ran.finished.stopped_by}")
    if ran.finished.status != 0:
        return _theirs("crashed", f"ended with status {ran.finished.status}: {said.last_words}")
    return _theirs("gave_up", said.last_words) if said.finished is False else ("finished", None)


def blame(error: Exception, folder: Path) -> Ended:
    """Whose fault an error is that came up once the program ran: the agent's only where what it left is the reason."""
    if isinstance(error, OSError) and error.errno in _STATES_OF_FILES and isinstance(error.filename, str | bytes):
        about = os.fsdecode(error.filename)
        if any(f"{about}/".startswith(f"{folder / name}/") for name in ("workspace", "output")):
            return _theirs("crashed", f"what it left cannot be read: {error.strerror}: {about.removeprefix(f'{folder}/')}")
    if isinstance(error, RexbenchError) and not isinstance(error, SystemFault):
        return _theirs("agent_limit", str(error))
    return ours(str(error))


def capture_leavings(task: Task, folder: Path, home: Home) -> tuple[Captured, Ended | None]:
    """The patch, in whatever state the tree is; where it cannot be read at all, nothing, and why."""
    try:
        return capture_patch(task, folder / "workspace", home), None
    except (RexbenchError, OSError) as error:
        return Captured(b"", ()), blame(error, folder)


def read_said(adapter: Adapter, output: Path) -> Said:
    """What the program's own log says; a log that makes no sense says nothing."""
    try:
        return adapter.read_log(output)
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        return Said(None, f"its log cannot be read: {type(error).__name__}")


def ours(why: str) -> Ended:
    """An end that is no fault of the agent's."""
    return "system_fault", Fault(by="system", why=why)


def _theirs(outcome: AgentOutcome, why: str) -> Ended:
    return outcome, Fault(by="agent", why=why)
