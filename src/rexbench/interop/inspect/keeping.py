"""What an agent left, kept before it is judged: an evaluation that is retried does not pay for it again.

    <home>/inspect/TASK_ID/SAMPLE-EPOCH.json    patch, messages, the model's last answer

Inspect gives an evaluation that is retried the task id that it had, and a new one another.
"""

import base64
import re
from pathlib import Path

from inspect_ai._control.eval_state import stable_task_id_for_eval
from inspect_ai.log._samples import sample_active
from inspect_ai.model import ChatMessage, ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import sandbox
from pydantic import BaseModel

from rexbench.errors import RexbenchError
from rexbench.interop.inspect.edge import of_sample, open_bench
from rexbench.interop.inspect.elsewhere import carry_in, carry_out
from rexbench.interop.inspect.sandbox import RexbenchSandbox
from rexbench.interop.workroom import Workroom
from rexbench.places import Home, write_whole

PATCH = "rexbench_patch"
"""Key of the patch in a sample's store, in base 64."""


class _Left(BaseModel):
    patch: str
    messages: list[ChatMessage]
    output: ModelOutput


@solver
def restored() -> Solver:
    """Where an earlier try at this evaluation kept what the agent left, nothing is left to do but to judge it.

    Else a sandbox that is not ours is given the workspace.
    """

    async def restore(state: TaskState, generate: Generate) -> TaskState:
        bench = open_bench()
        path = _place(state, bench.home)
        if path and path.is_file():
            left = _Left.model_validate_json(path.read_bytes())
            state.messages, state.output, state.completed = left.messages, left.output, True
            state.store.set(PATCH, left.patch)
        elif _own_room() is None:
            await carry_in(sandbox(), *of_sample(state.metadata, bench), bench)
        return state

    return restore


@solver
def kept() -> Solver:
    """Keep the patch as soon as the agent is done."""

    async def keep(state: TaskState, generate: Generate) -> TaskState:
        await patch_of(state)
        return state

    return keep


async def patch_of(state: TaskState) -> bytes:
    """What the agent left: captured and kept once, from then on from the store."""
    found = state.store.get(PATCH)
    if found is None:
        bench, room = open_bench(), _own_room()
        patch = room.patch().patch if room else await carry_out(sandbox(), *of_sample(state.metadata, bench), bench)
        found = base64.b64encode(patch).decode()
        state.store.set(PATCH, found)
        path = _place(state, bench.home)
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, _Left(patch=found, messages=state.messages, output=state.output).model_dump_json())
    return base64.b64decode(found)


def _own_room() -> Workroom | None:
    """The room of the sample's sandbox; None where that is not ours."""
    try:
        return sandbox().as_type(RexbenchSandbox).room
    except TypeError:
        return None
    except ProcessLookupError as error:
        raise RexbenchError("The sample has neither a patch nor a sandbox to take it from.") from error


def _place(state: TaskState, home: Home) -> Path | None:
    """None outside of an evaluation, say where a log is scored anew."""
    active = sample_active()
    if active is None:
        return None
    sample = re.sub(r"[^A-Za-z0-9._-]+", "-", str(state.sample_id))
    return home.make("inspect") / stable_task_id_for_eval(active.eval_id) / f"{sample}-{state.epoch}.json"
